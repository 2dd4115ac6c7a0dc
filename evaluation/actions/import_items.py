"""Bring topics or documents in from a file."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import pgtrigger
from django.db import connection, transaction

from evaluation.actions.note_progress import note_progress
from evaluation.actions.store_image import store_image
from evaluation.core.images import ImageUnreadable, opened
from evaluation.core.imports.archives import ArchiveUnreadable
from evaluation.core.imports.collections import read_collection
from evaluation.core.imports.faults import ImportFault
from evaluation.core.imports.records import sound_records
from evaluation.core.imports.text_files import docno_lines, read_text_records
from evaluation.models import Document, ImportKind, Topic, TopicState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evaluation.core.imports.faults import Faults
    from evaluation.core.imports.records import Record
    from evaluation.models import Import

    Row = tuple[str, str, str | None, str]  # name, fields as JSON, key of the image, note

BATCH = 5000  # rows a COPY; between two the connection is free for images and for progress
# Rows come by COPY into a table of the session's own; the trial counts there what the second run stores.
TABLE = """
    CREATE TEMPORARY TABLE brought (name text COLLATE "C", fields jsonb, image varchar(64), note text)
"""
COUNT = """
    SELECT count(*) FILTER (WHERE known.id IS NULL), count(*) FILTER (WHERE {differs}), count(*)
    FROM brought LEFT JOIN {table} known ON known.{owner} = %s AND known.{name} = brought.name
"""
UPDATE = """
    UPDATE {table} known
    SET fields = brought.fields, image_id = coalesce(brought.image, known.image_id) {note}
    FROM brought WHERE known.{owner} = %s AND known.{name} = brought.name AND {differs}
"""
INSERT = """
    INSERT INTO {table} ({owner}, {name}, fields, image_id {columns})
    SELECT %s, name, fields, image {values} FROM brought
    WHERE NOT EXISTS (SELECT FROM {table} known WHERE known.{owner} = %s AND known.{name} = brought.name)
"""
TOLD_BY_THE_IMPORT = ("evaluation.Topic:insert_insert", "evaluation.Topic:update_update")


@dataclass(frozen=True)
class Target:
    """The table that records go into, and the parts of the statements that only topics have."""

    owner_id: int
    parts: dict[str, str]
    state: tuple[str, ...] = ()

    def fill(self, statement: str) -> str:
        """The statement with the names of table and columns."""
        return statement.format(**self.parts)


def import_items(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Add the file's records, or change those whose texts or image differ; say how many of each.

    An image that the file leaves out stays as it is. Nothing is deleted. A trial stores nothing, but decodes
    every image. Raises InputError for a file that cannot be read.
    """
    target = _target(task_import)
    with connection.cursor() as cursor, tempfile.NamedTemporaryFile() as spool:
        cursor.execute("DROP TABLE IF EXISTS brought")  # of an import that failed in this session
        cursor.execute(TABLE)
        with task_import.upload.open() as file:
            shutil.copyfileobj(file, spool)
        spool.seek(0)
        _copy(_rows(task_import, spool, faults, is_trial=is_trial))
        cursor.execute("ANALYZE brought")
        with transaction.atomic():
            cursor.execute(target.fill(COUNT), [target.owner_id])
            added, changed, total = cursor.fetchone()
            if not is_trial:
                with pgtrigger.ignore(*TOLD_BY_THE_IMPORT):
                    cursor.execute(target.fill(UPDATE), [target.owner_id])
                    cursor.execute(target.fill(INSERT), [target.owner_id, *target.state, target.owner_id])
        cursor.execute("DROP TABLE brought")
    return {"added": added, "changed": changed, "same": total - added - changed}


def _target(task_import: Import) -> Target:
    differs = (
        "(known.fields, known.image_id{note}) IS DISTINCT FROM "
        "(brought.fields, coalesce(brought.image, known.image_id){brought_note})"
    )
    there = "known.id IS NOT NULL AND "
    if task_import.kind == ImportKind.TOPICS:
        parts = {
            "table": Topic._meta.db_table,  # noqa: SLF001 - Django's documented way to a table's name
            "owner": "task_id",
            "name": "number",
            "note": ", note = brought.note",
            "columns": ", note, state",
            "values": ", note, %s",
            "differs": there + differs.format(note=", known.note", brought_note=", brought.note"),
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
        "differs": there + differs.format(note="", brought_note=""),
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
    with connection.cursor() as cursor, cursor.copy("COPY brought FROM STDIN") as copy:
        for row in batch:
            copy.write_row(row)


def _records(task_import: Import, file: IO[bytes], faults: Faults) -> Iterator[Record]:
    if task_import.kind == ImportKind.DOCNOS:
        return docno_lines(file)
    if task_import.kind == ImportKind.TOPICS:
        return read_text_records(file, faults)
    return read_collection(file, file.name, faults)


def _rows(task_import: Import, file: IO[bytes], faults: Faults, *, is_trial: bool) -> Iterator[Row]:
    records = sound_records(
        _records(task_import, file, faults),
        faults,
        must_have_content=task_import.kind != ImportKind.DOCNOS,
    )
    for record in note_progress(records, task_import=task_import):
        fields = json.dumps(record.fields, ensure_ascii=False)
        yield record.name, fields, _image_of(record, faults, is_trial=is_trial), record.note


def _image_of(record: Record, faults: Faults, *, is_trial: bool) -> str | None:
    """The key of the record's image, which a trial only decodes; None, and a fault, if it cannot be read."""
    if record.picture is None:
        return None
    try:
        content = record.picture()
        if not is_trial:
            return store_image(content=content).sha256
        opened(content)
    except (ImageUnreadable, ArchiveUnreadable) as error:
        faults.add(ImportFault.IMAGE_UNREADABLE, record.place, str(error))
        return None
    return hashlib.sha256(content).hexdigest()
