"""Add the topics or documents of an import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pgtrigger
from django.db import connection, transaction

from evaluation.access.freezing import WAS_RELEASED
from evaluation.collections.models import Document, Topic, TopicState
from evaluation.core.imports.faults import EXAMPLES, ImportFault
from evaluation.imports.models import ImportKind
from evaluation.imports.reading import note_progress, read_rows
from evaluation.work.claims import keep_claim

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.backends.utils import CursorWrapper

    from evaluation.core.imports.faults import Faults
    from evaluation.imports.models import Import
    from evaluation.imports.reading import Row

BATCH = 5000  # rows per COPY; between two, the connection stores images and progress
# COPY loads the rows into a temporary table; the trial counts there, the second run stores from there.
TABLE = """
    CREATE TEMPORARY TABLE loaded (name text COLLATE "C", fields jsonb, image varchar(64), note text)
"""
COUNT = """
    SELECT count(*) FILTER (WHERE known.id IS NULL), count(*) FILTER (WHERE {differs}), count(*)
    FROM loaded LEFT JOIN {table} known ON known.{owner} = %s AND known.{name} = loaded.name
"""
REFUSED = """
    SELECT loaded.name, count(*) OVER () FROM loaded
    JOIN {table} known ON known.{owner} = %s AND known.{name} = loaded.name
    WHERE {frozen} ORDER BY loaded.name LIMIT %s
"""
UPDATE = """
    UPDATE {table} known
    SET fields = loaded.fields, image_id = coalesce(loaded.image, known.image_id) {note}
    FROM loaded WHERE known.{owner} = %s AND known.{name} = loaded.name AND {differs}
"""
INSERT = """
    INSERT INTO {table} ({owner}, {name}, fields, image_id {columns})
    SELECT %s, name, fields, image {values} FROM loaded
    WHERE NOT EXISTS (SELECT FROM {table} known WHERE known.{owner} = %s AND known.{name} = loaded.name)
"""
UNAUDITED = tuple(  # the import itself is audited
    f"evaluation.{model}:{event}"
    for model in ("Topic", "Document")
    for event in ("insert_insert", "update_update")
)
# Frozen items for which the file has other content: the tables' triggers would refuse the change.
FROZEN = """
    (known.fields, known.image_id) IS DISTINCT FROM (loaded.fields, coalesce(loaded.image, known.image_id))
    AND (known.frozen_at IS NOT NULL
        OR EXISTS (SELECT FROM evaluation_task WHERE {released_task} AND {was_released}))
"""


@dataclass(frozen=True)
class Target:
    """The target table of records, and the parts of its SQL statements."""

    owner_id: int
    parts: dict[str, str]
    state: tuple[str, ...] = ()

    def fill(self, statement: str) -> str:
        """Return the statement with the names of table and columns."""
        return statement.format(**self.parts)


def import_items(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Add the file's records, or update those whose texts or image differ; return the counts by outcome.

    An item keeps its image if the file has none. Nothing is deleted. Records that would change a frozen item
    are refused. A trial stores nothing, but decodes every image.
    Raises InputError if the file cannot be read.
    """
    target = _target(task_import)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS loaded")  # of an import that failed in this session
        cursor.execute(TABLE)
        with task_import.upload.open() as file:
            rows = read_rows(task_import, file, faults, is_trial=is_trial)
            _copy(note_progress(rows, task_import=task_import))
        cursor.execute("ANALYZE loaded")
        with transaction.atomic():
            keep_claim(task_import)
            cursor.execute(target.fill(COUNT), [target.owner_id])
            added, changed, total = cursor.fetchone()
            frozen = _refuse_frozen(cursor, target, faults)
            if not is_trial:
                with pgtrigger.ignore(*UNAUDITED):
                    cursor.execute(target.fill(UPDATE), [target.owner_id])
                    cursor.execute(target.fill(INSERT), [target.owner_id, *target.state, target.owner_id])
        cursor.execute("DROP TABLE loaded")
    return {"added": added, "changed": changed, "same": total - added - changed - frozen}


def _refuse_frozen(cursor: CursorWrapper, target: Target, faults: Faults) -> int:
    """Add a fault for each record that would change a frozen item, and return their number."""
    cursor.execute(target.fill(REFUSED), [target.owner_id, EXAMPLES])
    found = cursor.fetchall()
    count = found[0][1] if found else 0
    for place, (name, _) in enumerate(found):
        faults.add(ImportFault.FROZEN, name, count=count - len(found) + 1 if place == 0 else 1)
    return int(count)


def _target(task_import: Import) -> Target:
    differs = (
        "(known.fields, known.image_id{note}) IS DISTINCT FROM "
        "(loaded.fields, coalesce(loaded.image, known.image_id){loaded_note})"
    )
    frozen = FROZEN.format(
        released_task="id = known.task_id"
        if task_import.kind == ImportKind.TOPICS
        else "collection_id = known.collection_id",
        was_released=WAS_RELEASED,
    )
    exists = f"known.id IS NOT NULL AND NOT ({frozen}) AND "
    if task_import.kind == ImportKind.TOPICS:
        parts = {
            "table": Topic._meta.db_table,  # noqa: SLF001 - Django's documented way to a table's name
            "owner": "task_id",
            "name": "number",
            "note": ", note = loaded.note",
            "columns": ", note, state",
            "values": ", note, %s",
            "differs": exists + differs.format(note=", known.note", loaded_note=", loaded.note"),
            "frozen": frozen,
        }
        state = task_import.options.get("state", TopicState.ACTIVE)
        return Target(task_import.task_id, parts, (str(state),))
    parts = {
        "table": Document._meta.db_table,  # noqa: SLF001 - as above
        "owner": "collection_id",
        "name": "docno",
        "note": "",
        "columns": "",
        "values": "",
        "differs": exists + differs.format(note="", loaded_note=""),
        "frozen": frozen,
    }
    return Target(task_import.task.collection_id, parts)


def _copy(rows: Iterable[Row]) -> None:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            _copy_batch(batch)
            batch = []
    _copy_batch(batch)


def _copy_batch(batch: list[Row]) -> None:
    with connection.cursor() as cursor, cursor.copy("COPY loaded FROM STDIN") as copy:
        for row in batch:
            copy.write_row(row)
