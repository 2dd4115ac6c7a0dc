"""Check an uploaded run, and store its rankings when it is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.actions.mail_verdict import mail_verdict
from evaluation.core.run_checks import check_run as check_file
from evaluation.core.run_checks import near_docnos
from evaluation.models import Collection, Document, Ranking, Run, RunState, Task, TeamLimit

if TYPE_CHECKING:
    from collections.abc import Collection as Docnos
    from collections.abc import Iterator

    from evaluation.core.run_checks import Verdict
    from evaluation.core.trec_files import Rankings

RANKINGS = Ranking._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
DOCUMENTS = Document._meta.db_table  # noqa: SLF001
UNKNOWN = """
    SELECT docno FROM asked
    WHERE NOT EXISTS (SELECT FROM {documents} known WHERE collection_id = %s AND known.docno = asked.docno)
"""
CHUNK = 200_000  # docnos read at once when near misses are looked for


@transaction.atomic
def check_run(*, run_id: int) -> Run | None:
    """Give an upload its verdict; an accepted run replaces the team's earlier one of the same tag.

    A team's uploads are checked in the order they came, so that the last one counts. None when there is
    nothing to do: the run is checked, another worker has it, or an earlier upload of the team waits.
    """
    run = _claim(run_id)
    if run is None:
        return None
    task = run.task
    docnos = _CollectionDocnos(task.collection)
    with run.upload.open() as file:
        verdict = check_file(
            file,
            topics=set(task.topics.active().values_list("number", flat=True)),
            docnos=docnos,
            near=docnos.near,
            max_per_topic=task.max_per_topic,
            tag_max=task.tag_max,
            is_tag_taken=lambda tag: _is_tag_taken(run, tag),
            has_run_left=lambda tag: _has_run_left(run, tag),
        )
    _store(run, verdict)
    mail_verdict(run=run)
    waiting = Run.objects.filter(task=task, team=run.team, state=RunState.RECEIVED).order_by("pk").first()
    if waiting:
        enqueue("evaluation.check_run", waiting.pk)
    return run


def _claim(run_id: int) -> Run | None:
    earlier = Run.objects.filter(
        task=OuterRef("task"), team=OuterRef("team"), state=RunState.RECEIVED, pk__lt=OuterRef("pk")
    )
    return (
        Run.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("task__collection", "task__track", "team", "upload")
        .filter(~Exists(earlier), pk=run_id, state=RunState.RECEIVED)
        .first()
    )


def _is_tag_taken(run: Run, tag: str) -> bool:
    _wait_for_turn(run)
    return Run.objects.accepted().filter(task=run.task, tag=tag).exclude(team=run.team).exists()


def _has_run_left(run: Run, tag: str) -> bool:
    """Only accepted runs spend what the team may have; replacing its own run of the tag spends none."""
    task = _wait_for_turn(run)
    allowed = TeamLimit.objects.runs_allowed(task, run.team)
    others = Run.objects.accepted().filter(task=task, team=run.team).exclude(tag=tag)
    return allowed is None or others.count() < allowed


def _wait_for_turn(run: Run) -> Task:
    # Checks of one task decide on tags one after the other; uploads, which only refer to the task, go on.
    return Task.objects.select_for_update(no_key=True).get(pk=run.task_id)


def _store(run: Run, verdict: Verdict) -> None:
    run.verdict = verdict.to_json()
    run.checked_at = Now()
    run.state = RunState.REJECTED
    if verdict.rankings is not None:
        run.state, run.tag = RunState.ACCEPTED, verdict.rankings.tag
        run.replaces = _replaced(run)
        _copy_rankings(run, verdict.rankings)
        enqueue("evaluation.compute_report", run.task_id)
    run.save(update_fields=["verdict", "checked_at", "state", "tag", "replaces"])
    run.refresh_from_db(fields=["checked_at"])


def _replaced(run: Run) -> Run | None:
    old = Run.objects.accepted().filter(task=run.task, team=run.team, tag=run.tag).first()
    if old:
        old.state = RunState.REPLACED
        old.save(update_fields=["state"])
    return old


def _copy_rankings(run: Run, rankings: Rankings) -> None:
    statement = f"COPY {RANKINGS} (run_id, topic, docnos, scores) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(["int8", "varchar", "text", "bytea"])
        for topic, docnos, scores in rankings.packed():
            copy.write_row((run.pk, topic, docnos, scores))


@dataclass(frozen=True)
class _CollectionDocnos:
    """Tells which docnos a collection does not have, and what was probably meant."""

    collection: Collection

    def __call__(self, docnos: Docnos[str]) -> set[str]:
        # As a table, half a million docnos are compared in two seconds; as a list of values it takes twenty.
        with connection.cursor() as cursor:
            cursor.execute('CREATE TEMPORARY TABLE asked (docno text COLLATE "C")')
            with cursor.copy("COPY asked FROM STDIN") as copy:
                copy.write("\n".join(docnos).replace("\\", "\\\\"))
            cursor.execute("ANALYZE asked")
            cursor.execute(UNKNOWN.format(documents=DOCUMENTS), [self.collection.pk])
            unknown = {docno for (docno,) in cursor.fetchall()}
            cursor.execute("DROP TABLE asked")
        return unknown

    def near(self, docnos: Docnos[str]) -> dict[str, str]:
        return near_docnos(docnos, self._parts())

    def _parts(self) -> Iterator[pl.Series]:
        after = ""
        documents = Document.objects.filter(collection=self.collection).order_by("docno")
        while found := list(documents.filter(docno__gt=after).values_list("docno", flat=True)[:CHUNK]):
            yield pl.Series("docno", found, pl.String)
            after = found[-1]
