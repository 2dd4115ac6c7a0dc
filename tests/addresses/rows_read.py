"""How many rows of tables and indexes the statements of a block read, and which tables they scan."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext


@dataclass
class Reading:
    """Both are set at the end of the block: rows read by its SELECTs, with those filtered out, and the
    tables that a sequential scan reads.
    """

    rows: int = 0
    scanned: set[str] = field(default_factory=set)


@contextmanager
def rows_read() -> Iterator[Reading]:
    """Run each SELECT of the block once more under EXPLAIN ANALYZE, and add up what its scans read."""
    reading = Reading()
    with CaptureQueriesContext(connection) as asked:
        yield reading
    for each in asked.captured_queries:
        if each["sql"].startswith("SELECT"):
            scans = [*_scans(_plan(each["sql"]))]
            reading.rows += sum(map(_rows_of, scans))
            reading.scanned |= {scan["Relation Name"] for scan in scans if scan["Node Type"] == "Seq Scan"}


def _plan(statement: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + statement)
        (found,) = cursor.fetchone()
    plan: dict[str, Any] = (found if isinstance(found, list) else json.loads(found))[0]["Plan"]
    return plan


def _scans(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "Scan" in node["Node Type"]:
        yield node
    for part in node.get("Plans", ()):
        yield from _scans(part)


def _rows_of(scan: dict[str, Any]) -> int:
    removed = scan.get("Rows Removed by Filter", 0) + scan.get("Rows Removed by Index Recheck", 0)
    return int((scan["Actual Rows"] + removed) * scan["Actual Loops"])
