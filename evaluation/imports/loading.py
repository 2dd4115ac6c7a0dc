"""Load the records of a file into a temporary table of the session, where they are compared and counted."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from django.db import connection

from evaluation.core.imports.faults import EXAMPLES, ImportFault
from evaluation.imports.reading import note_progress, read_rows

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

    from evaluation.core.imports.faults import Faults
    from evaluation.imports.models import Import

TABLE = """
    CREATE TEMPORARY TABLE loaded (
        name text COLLATE "C", fields jsonb, image varchar(64), note text, place text)
"""
# ctid grows in the order of the file: the table is only filled by COPY.
REMOVE_REPEATED = """
    WITH repeated AS (SELECT name, min(ctid) AS first FROM loaded GROUP BY name HAVING count(*) > 1),
    removed AS (
        DELETE FROM loaded USING repeated
        WHERE loaded.name = repeated.name AND loaded.ctid <> repeated.first
        RETURNING loaded.ctid AS spot, place, loaded.name
    )
    SELECT place, name, count(*) OVER () FROM removed ORDER BY spot LIMIT %s
"""


def load_rows(cursor: CursorWrapper, *, task_import: Import, faults: Faults, is_trial: bool) -> None:
    """Fill the table ``loaded`` with the file's records; of records with equal names, the first is stored.

    Raises FileRefused, LimitReached, SandboxCrashed, ClaimLost.
    """
    cursor.execute("DROP TABLE IF EXISTS loaded")  # of an import that failed in this session
    cursor.execute(TABLE)
    with task_import.upload.open() as file:
        batches = read_rows(task_import, file, faults, is_trial=is_trial)
        for _, lines in note_progress(batches, task_import=task_import, count_of=itemgetter(0)):
            _copy(lines)
    cursor.execute("ANALYZE loaded")
    cursor.execute(REMOVE_REPEATED, [EXAMPLES])
    add_examples(faults, ImportFault.NAME_TWICE, cursor.fetchall())


def _copy(lines: bytes) -> None:
    """Store a batch by one COPY: between batches the same connection stores pictures and progress."""
    with connection.cursor() as cursor, cursor.copy("COPY loaded FROM STDIN") as copy:
        copy.write(lines)


def add_examples(faults: Faults, kind: ImportFault, rows: list[tuple[str, str, int]]) -> int:
    """Add a fault for each record and return the number of records.

    ``rows`` are the first few: place, name and the number of all records.
    """
    count = rows[0][2] if rows else 0
    for index, (place, name, _) in enumerate(rows):
        faults.add(kind, place, name, count=count - len(rows) + 1 if index == 0 else 1)
    return count
