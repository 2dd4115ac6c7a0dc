"""Add the topics or documents of an import: load the file into a temporary table, compare, count, store."""

from dataclasses import dataclass
from operator import itemgetter

import pgtrigger
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.models import Document, Topic, TopicState
from evaluation.organizing.imports.models import Import
from evaluation.organizing.imports.reading import note_progress, read_rows
from evaluation.platform.access.schema.freezing import WAS_RELEASED
from evaluation.tracks.work.queueing import lock_claim
from trackside.imports.faults import EXAMPLES, Faults, ImportFault

TABLE = """
    CREATE TEMPORARY TABLE loaded (
        name text COLLATE "C", fields jsonb, image varchar(64), more_images varchar(64)[],
        note text, stratum text, place text)
"""
# Rows are ordered by ctid as in the file, because only COPY fills the table.
REMOVE_REPEATED = """
    WITH repeated AS (SELECT name, min(ctid) AS first FROM loaded GROUP BY name HAVING count(*) > 1),
    removed AS (
        DELETE FROM loaded USING repeated
        WHERE loaded.name = repeated.name AND loaded.ctid <> repeated.first
        RETURNING loaded.ctid AS spot, place, loaded.name
    )
    SELECT place, name, count(*) OVER () FROM removed ORDER BY spot LIMIT %s
"""
# Blocks of the loaded table per INSERT, 3 MiB: PostgreSQL keeps the rows of a statement for their triggers.
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
    SET fields = loaded.fields, (image_id, more_images) = ROW({images}) {note}
    FROM loaded WHERE known.{owner} = %s AND known.{name} = loaded.name AND {differs}
"""
INSERT = """
    INSERT INTO {table} ({owner}, {name}, fields, image_id, more_images {columns})
    SELECT %s, name, fields, image, more_images {values} FROM loaded WHERE ctid >= %s AND ctid < %s
    ON CONFLICT ({owner}, {name}) DO NOTHING
"""
BLOCK_COUNT = "SELECT pg_relation_size('loaded') / current_setting('block_size')::int"
UNAUDITED = tuple(  # the import itself is audited
    f"evaluation.{model}:{event}"
    for model in ("Topic", "Document")
    for event in ("insert_insert", "update_update")
)
# An item keeps its images if the file has none.
KEPT = """
    coalesce(loaded.image, known.image_id),
    CASE WHEN loaded.image IS NULL THEN known.more_images ELSE loaded.more_images END
"""
# Condition: the item is frozen, and the file has other content, which a trigger of the table would refuse.
FROZEN = """
    (known.fields, known.image_id, known.more_images) IS DISTINCT FROM (loaded.fields, {images})
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
    """Add the file's new records, update items whose texts or images differ; return the counts by outcome.

    An item keeps its images if the file has none. Nothing is deleted. Records that would change a frozen item
    are refused. A trial stores nothing, but decodes every image.
    Raises InputError if the file cannot be read.
    """
    target = _target(task_import)
    with connection.cursor() as cursor:
        load_rows(cursor, task_import=task_import, faults=faults, is_trial=is_trial)
        with transaction.atomic():
            lock_claim(task_import)
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
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else PostgreSQL lists all rows until the commit
        cursor.execute(BLOCK_COUNT)
        (count,) = cursor.fetchone()
        for start in range(0, count, BLOCKS):
            spots = (f"({start},0)", f"({start + BLOCKS},0)")
            cursor.execute(target.fill(INSERT), [target.owner_id, *target.state, *spots])


def _target(task_import: Import) -> Target:
    differs = (
        "(known.fields, known.image_id, known.more_images{note}) IS DISTINCT FROM "
        f"(loaded.fields, {KEPT}{{loaded_note}})"
    )
    frozen = FROZEN.format(
        released_task="id = known.task_id"
        if task_import.kind == ImportKind.TOPICS
        else "collection_id = known.collection_id",
        was_released=WAS_RELEASED,
        images=KEPT,
    )
    exists = f"known.id IS NOT NULL AND NOT ({frozen}) AND "
    if task_import.kind == ImportKind.TOPICS:
        parts = {
            "table": Topic._meta.db_table,  # noqa: SLF001 - Django's documented way to a table's name
            "owner": "task_id",
            "name": "number",
            "images": KEPT,
            "note": ", note = loaded.note, stratum = loaded.stratum",
            "columns": ", note, stratum, state",
            "values": ", note, stratum, %s",
            "differs": exists
            + differs.format(note=", known.note, known.stratum", loaded_note=", loaded.note, loaded.stratum"),
            "frozen": frozen,
        }
        state = task_import.options.get("state", TopicState.ACTIVE)
        return Target(task_import.task_id, parts, (str(state),))
    parts = {
        "table": Document._meta.db_table,  # noqa: SLF001 - as above
        "owner": "collection_id",
        "name": "docno",
        "images": KEPT,
        "note": "",
        "columns": "",
        "values": "",
        "differs": exists + differs.format(note="", loaded_note=""),
        "frozen": frozen,
    }
    return Target(task_import.task.collection_id, parts)


def load_rows(cursor: CursorWrapper, *, task_import: Import, faults: Faults, is_trial: bool) -> None:
    """Fill the table ``loaded`` with the file's records; of those with equal names, keep the first.

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
    repeated = cursor.fetchall()
    field = task_import.name_field() if repeated else ""
    named = [(place, f"{field}: {name}" if field else name, count) for place, name, count in repeated]
    add_examples(faults, ImportFault.NAME_TWICE, named)


def _copy(lines: bytes) -> None:
    """Store a batch by one COPY: between batches the same connection stores pictures and progress."""
    with connection.cursor() as cursor, cursor.copy("COPY loaded FROM STDIN") as copy:
        copy.write(lines)


def add_examples(faults: Faults, kind: ImportFault, rows: list[tuple[str, str, int]]) -> int:
    """Count a fault for each record, with the first records as examples; return the number of records.

    ``rows`` are the examples: place, name and the number of all records.
    """
    count = rows[0][2] if rows else 0
    for index, (location, name, _) in enumerate(rows):
        faults.add(kind, location, name, count=count - len(rows) + 1 if index == 0 else 1)
    return count
