"""Add the records of an import: items, runs or qrels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pgtrigger
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import connection, transaction

from evaluation.access.freezing import WAS_RELEASED
from evaluation.collections.models import Document, Topic, TopicState
from evaluation.core.errors import InputError
from evaluation.core.imports.faults import EXAMPLES, ImportFault
from evaluation.imports.models import ImportKind
from evaluation.imports.reading import note_progress, read_members, read_pairs, read_rows
from evaluation.qrels.actions import GradedPair, NothingToPublish, publish_qrels
from evaluation.qrels.models import QrelsKind
from evaluation.runs.checking import check_run
from evaluation.runs.models import Run, RunState
from evaluation.runs.receiving import receive_run
from evaluation.tracks.criteria import Criteria
from evaluation.work.claims import keep_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.backends.utils import CursorWrapper

    from evaluation.core.imports.faults import Faults
    from evaluation.imports.models import Import
    from evaluation.imports.reading import Row
    from evaluation.teams.models import Team

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


def import_runs(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Upload and check each file of the archive for the import's team; a trial rolls each back.

    Each run has its own transaction: accepted runs stay if a later one fails, and count as ``same`` if the
    import runs again. Raises FileRefused, LimitReached, SandboxCrashed.
    """
    counts = {"added": 0, "changed": 0, "same": 0}
    tags: dict[str, str] = {}
    with task_import.upload.open() as file:
        members = read_members(task_import, file, faults, settings.MAX_UPLOAD_BYTES)
        for member in note_progress(members, task_import=task_import):
            name = str(member.values["name"])
            if member.kind == "unreadable":
                faults.add(ImportFault.RUN_REFUSED, name, str(member.values["text"]))
                continue
            content = ContentFile(member.content, name)
            try:
                outcome = _upload(task_import, content, faults, tags, is_trial=is_trial)
            except InputError as error:
                faults.add(ImportFault.RUN_REFUSED, name, str(error))
                continue
            if outcome:
                counts[outcome] += 1
    return counts


@transaction.atomic
def _upload(
    task_import: Import, file: ContentFile[bytes], faults: Faults, tags: dict[str, str], *, is_trial: bool
) -> str | None:
    """Return the outcome: added, changed (it replaced a run), same (already there), or None if rejected."""
    keep_claim(task_import)
    run = receive_run(
        task=task_import.task,
        team=cast("Team", task_import.team),  # a constraint gives each import of runs one
        file=file,
        description=f"From {task_import.file_name}.",
        by=task_import.confirmed_by or task_import.received_by,
    )
    known = Run.objects.accepted().filter(task=task_import.task, team=task_import.team, upload=run.upload)
    if known.exists():
        transaction.set_rollback(True)
        return "same"
    checked = check_run(run_id=run.pk)
    outcome = _outcome(str(file.name), checked, faults, tags)
    if is_trial or outcome is None:
        transaction.set_rollback(True)
    return outcome


def _outcome(name: str, run: Run | None, faults: Faults, tags: dict[str, str]) -> str | None:
    if run is None:
        faults.add(ImportFault.RUN_REFUSED, name, "Earlier uploads of the team wait for their check.")
        return None
    if run.state == RunState.REJECTED:
        found = "; ".join(f"{fault['title']} ({fault['found']})" for fault in _faults_of(run))
        faults.add(ImportFault.RUN_REJECTED, name, found)
        return None
    if run.tag in tags:
        faults.add(ImportFault.TAG_TWICE, name, f"{run.tag}, as in {tags[run.tag]}")
        return None
    tags[run.tag] = name
    return "changed" if run.replaces else "added"


def _faults_of(run: Run) -> list[dict[str, Any]]:
    return run.verdict.faults if run.verdict else []


PAIR_BATCH = 10_000  # docnos per query


def import_qrels(*, task_import: Import, faults: Faults, is_trial: bool) -> dict[str, int]:
    """Publish the file's grades as the next version of the named qrels; a trial only counts them.

    Lines with a negative grade are pooled pairs without a judgment. Raises InputError if the file cannot be
    read, and NothingToPublish if no line has a grade.
    """
    task = task_import.task
    with task_import.upload.open() as file:
        lines = list(
            read_pairs(
                task_import,
                file,
                faults,
                topics=set(task.topics.values_list("number", flat=True)),
                scale=Criteria.objects.current(task).scale,
            )
        )
    pairs = [
        GradedPair(topic, docno, grade, None, "not judged" if grade is None else "ok")
        for topic, docno, grade in note_progress(lines, task_import=task_import)
    ]
    if not any(pair.grade is not None for pair in pairs):
        raise NothingToPublish(f"{task_import}: no line has a grade of this task. Import its topics first.")
    _note_unknown(task_import, [pair.docno for pair in pairs], faults)
    if not is_trial:
        _publish(task_import, pairs)
    return {"added": len(pairs), "changed": 0, "same": 0}


def _publish(task_import: Import, pairs: Sequence[GradedPair]) -> None:
    name = task_import.options["name"]
    with transaction.atomic():
        keep_claim(task_import)
        # If a worker died after publishing, its qrels exist when the import runs again.
        if task_import.task.qrels.filter(name=name, provenance__import=task_import.pk).exists():
            return
        publish_qrels(
            task=task_import.task,
            name=name,
            kind=QrelsKind(task_import.options["kind"]),
            pairs=pairs,
            provenance={
                "import": task_import.pk,
                "file_name": task_import.file_name,
                "file_sha256": task_import.upload_id,
                "source": task_import.options.get("source", ""),
            },
            by=task_import.confirmed_by or task_import.received_by,
        )


def _note_unknown(task_import: Import, docnos: Sequence[str], faults: Faults) -> None:
    documents = Document.objects.filter(collection=task_import.task.collection_id)
    distinct = sorted(set(docnos))
    for start in range(0, len(distinct), PAIR_BATCH):
        part = distinct[start : start + PAIR_BATCH]
        known = set(documents.filter(docno__in=part).values_list("docno", flat=True))
        for docno in part:
            if docno not in known:
                faults.add(ImportFault.DOCNO_UNKNOWN, "docno", docno)
