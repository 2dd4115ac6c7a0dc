"""Rows of large tables: store many with one COPY, and count them without reading them all."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.db.models import QuerySet
from psycopg import sql


def copy_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Store rows, given as values of these columns, with one COPY; return their number.

    Other columns get the database's defaults. Constraints and triggers apply as for an INSERT; signals and
    ``save`` do not.
    """
    table = sql.Identifier(model._meta.db_table)  # noqa: SLF001 - Django's documented way to a table's name
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(table, names)
    with connection.cursor() as cursor:
        with cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
        return int(cursor.rowcount)


MOST_COUNTED = 100_000  # rows; PostgreSQL counts them in about 10 ms
DIGITS = 3  # significant digits of an estimate


@dataclass(frozen=True)
class RowCount:
    """A number of rows, counted or estimated."""

    number: int
    is_estimate: bool = False

    def __str__(self) -> str:
        return f"about {self.number:,}" if self.is_estimate else f"{self.number:,}"

    def __bool__(self) -> bool:
        return self.number > 0


def count_rows(rows: QuerySet[Any]) -> RowCount:
    """Count up to MOST_COUNTED rows; above, return the planner's estimate, rounded to DIGITS.

    Estimates come from PostgreSQL's statistics, which autovacuum updates after large changes.
    """
    return row_count(rows, rows.order_by()[: MOST_COUNTED + 1].count())


def row_count(rows: QuerySet[Any], count: int) -> RowCount:
    """Return ``count``, of at most MOST_COUNTED + 1 rows, or the planner's estimate if it is above."""
    if count <= MOST_COUNTED:
        return RowCount(count)
    estimate = int(json.loads(rows.order_by().explain(format="json"))[0]["Plan"]["Plan Rows"])
    return RowCount(round(max(estimate, count), DIGITS - len(str(max(estimate, count)))), is_estimate=True)
