"""Add the topics or documents of an import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pgtrigger
from django.db import connection, transaction

from evaluation.access.schema.freezing import WAS_RELEASED
from evaluation.collections.models import Document, Topic, TopicState
from evaluation.core.imports.faults import EXAMPLES, ImportFault
from evaluation.imports.loading import add_examples, load_rows
from evaluation.imports.models import ImportKind
from evaluation.work.claims import keep_claim

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

    from evaluation.core.imports.faults import Faults
    from evaluation.imports.models import Import

# Blocks of the loaded table that one statement inserts, 3 MiB: PostgreSQL keeps the rows for their triggers.
BLOCKS = 384
COUNT = """
    SELECT count(*) FILTER (WHERE known.id IS NULL), count(*) FILTER (WHERE {differs}), count(*)
    FROM loaded LEFT JOIN {table} known ON known.{owner} = %s AND known.{name} = loaded.name
"""
REFUSED = """
    SELECT loaded.place, loaded.name, count(*) OVER () FROM loaded
    JOIN {table} known ON known.{owner} = %s AND known.{name} = loaded.name
    WHERE {frozen} ORDER BY loaded.ctid LIMIT %s
"""
UPDATE = """
    UPDATE {table} known
    SET fields = loaded.fields, image_id = coalesce(loaded.image, known.image_id) {note}
    FROM loaded WHERE known.{owner} = %s AND known.{name} = loaded.name AND {differs}
"""
INSERT = """
    INSERT INTO {table} ({owner}, {name}, fields, image_id {columns})
    SELECT %s, name, fields, image {values} FROM loaded WHERE ctid >= %s AND ctid < %s
    ON CONFLICT ({owner}, {name}) DO NOTHING
"""
BLOCK_COUNT = "SELECT pg_relation_size('loaded') / current_setting('block_size')::int"
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
        load_rows(cursor, task_import=task_import, faults=faults, is_trial=is_trial)
        with transaction.atomic():
            keep_claim(task_import)
            cursor.execute(target.fill(COUNT), [target.owner_id])
            added, changed, total = cursor.fetchone()
            cursor.execute(target.fill(REFUSED), [target.owner_id, EXAMPLES])
            frozen = add_examples(faults, ImportFault.FROZEN, cursor.fetchall())
            if not is_trial:
                _store(cursor, target, has_new=added > 0, has_changed=changed > 0)
        cursor.execute("DROP TABLE loaded")
    return {"added": added, "changed": changed, "same": total - added - changed - frozen}


def _store(cursor: CursorWrapper, target: Target, *, has_new: bool, has_changed: bool) -> None:
    """Update and insert the loaded rows in the current transaction."""
    with pgtrigger.ignore(*UNAUDITED):
        if has_changed:
            cursor.execute(target.fill(UPDATE), [target.owner_id])
        if not has_new:
            return
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else a list of all rows is kept until the commit
        cursor.execute(BLOCK_COUNT)
        (count,) = cursor.fetchone()
        for start in range(0, count, BLOCKS):
            spots = (f"({start},0)", f"({start + BLOCKS},0)")
            cursor.execute(target.fill(INSERT), [target.owner_id, *target.state, *spots])


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
