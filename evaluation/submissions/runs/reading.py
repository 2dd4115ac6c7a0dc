"""Check a run file in a sandbox: answer its questions from the database, and store its rankings."""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

import polars as pl
from django.db import connection
from django.db.models import Q

from evaluation.collections.corpora import outside
from evaluation.collections.models import Collection, Document
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import Ranking
from evaluation.submissions.runs.submission import TeamLimit
from evaluation.tracks.models import Task
from evaluation.tracks.work.sandbox import Sandbox, sandbox
from trackside.checks import Verdict
from trackside.files.near_names import near_names
from trackside.sandbox.limits import Limits
from trackside.sandbox.messages import Message
from trackside.text.names import folded

RANKINGS = Ranking._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
DOCUMENTS = Document._meta.db_table  # noqa: SLF001
KNOWN = """
    SELECT asked.docno, known.id FROM asked
    LEFT JOIN {documents} known ON known.collection_id = %s AND known.docno = asked.docno
    WHERE (known.id IS NULL) = %s
"""
COPY = f"COPY {RANKINGS} (run_id, topic, docnos, scores) FROM STDIN (FORMAT BINARY)"
CHUNK = 200_000  # docnos per query of the search for near misses
# A run of 1.2 million lines takes 5 s of processor time, the worst file of the hostile corpus 20 s.
CPU_SECONDS = 120
SILENCE_SECONDS = 60.0


class VerdictMissing(Exception):
    """The sandbox ended without a verdict: a bug in Trackside."""


def read_run(run: Run, file: IO[bytes]) -> Verdict:
    """Return the verdict on the file of a claimed run; store the rankings of an accepted one.

    Raises LimitReached, SandboxCrashed.
    """
    limits = Limits.for_file(run.upload.size, cpu_seconds=CPU_SECONDS, silence_seconds=SILENCE_SECONDS)
    topics = list(run.task.topics.active().values_list("number", flat=True))
    values = {
        "max_per_topic": run.task.max_per_topic,
        "tag_max": run.task.tag_max,
        "seed": secrets.randbits(64),
        "has_corpus": run.task.corpus_id is not None,
    }
    answers = Answers(run)
    with sandbox("check", file, limits=limits, values=values, content=json.dumps(topics).encode()) as running:
        messages = running.messages()
        for message in messages:
            if message.kind == "ranking":
                message = _store_rankings(run, message, messages)
            if message.kind == "verdict":
                return Verdict.from_json(message.values).bounded()
            answers.give(running, message)
    raise VerdictMissing(f"The check of run {run.pk} ended without a verdict.")


def _store_rankings(run: Run, first: Message, rest: Iterator[Message]) -> Message:
    """Store consecutive rankings, and return the message after them."""
    with connection.cursor() as cursor, cursor.copy(COPY) as copy:
        copy.set_types(["int8", "varchar", "text", "bytea"])
        for message in chain([first], rest):
            if message.kind != "ranking":
                return message
            size = int(message.values["docno_bytes"])
            docnos, scores = message.content[:size].decode(), message.content[size:]
            copy.write_row((run.pk, message.values["topic"], docnos, scores))
    raise VerdictMissing(f"The check of run {run.pk} ended before its last ranking.")


@dataclass(frozen=True)
class Answers:
    """Answers from the database to the questions of a check."""

    run: Run

    def give(self, running: Sandbox, message: Message) -> None:
        """Answer one question."""
        if message.kind in ("unknown", "outside", "near"):
            docnos = message.content.decode().split("\n")
            running.answer(content=getattr(self, f"_{message.kind}")(docnos))
        else:
            tag = str(message.values["tag"])
            is_so = (
                self.is_tag_unavailable(tag)
                if message.kind == "is_tag_unavailable"
                else self.has_run_left(tag)
            )
            running.answer({"answer": is_so})

    def _unknown(self, docnos: list[str]) -> bytes:
        """Return the docnos that the collection lacks, one per line."""
        return "\n".join(docno for docno, _ in self._looked_up(docnos, is_unknown=True)).encode()

    def _outside(self, docnos: list[str]) -> bytes:
        """Return the docnos of the collection that the task's corpus lacks, one per line."""
        return "\n".join(outside(self.run.task, self._looked_up(docnos, is_unknown=False))).encode()

    def _looked_up(self, docnos: list[str], *, is_unknown: bool) -> list[tuple[str, int]]:
        """Return docnos with the keys of their documents: those that the collection has, or lacks."""
        # A join with a table compares half a million docnos in 2 s; a list of values takes 20 s.
        with connection.cursor() as cursor:
            cursor.execute('CREATE TEMPORARY TABLE asked (docno text COLLATE "C")')
            with cursor.copy("COPY asked FROM STDIN") as copy:
                copy.write("\n".join(docnos).replace("\\", "\\\\"))
            cursor.execute("ANALYZE asked")
            cursor.execute(KNOWN.format(documents=DOCUMENTS), [self.run.task.collection_id, is_unknown])
            found: list[tuple[str, int]] = cursor.fetchall()
            cursor.execute("DROP TABLE asked")
        return found

    def _near(self, docnos: list[str]) -> bytes:
        """Return suggestions for unknown docnos as JSON."""
        return json.dumps(near_names(docnos, docno_parts(self.run.task.collection))).encode()

    def is_tag_unavailable(self, tag: str) -> bool:
        """Whether another team's run has a look-alike tag, or the team's own run has it in another case."""
        self._lock_task()
        alike = Run.objects.accepted().filter(task=self.run.task, tag_folded=folded(tag))
        of_team = Q(team=self.run.team)
        return alike.filter(~of_team | (of_team & Q(tag__iexact=tag) & ~Q(tag=tag))).exists()

    def has_run_left(self, tag: str) -> bool:
        """Whether the limit allows the team a run of this tag; a run that it replaces does not count."""
        task = self._lock_task()
        allowed = TeamLimit.objects.runs_allowed(task, self.run.team)
        others = Run.objects.accepted().filter(task=task, team=self.run.team).exclude(tag=tag)
        return allowed is None or others.count() < allowed

    def _lock_task(self) -> Task:
        # Checks of one task decide on tags one at a time; this lock does not block uploads to the task.
        return Task.objects.select_for_update(no_key=True).get(pk=self.run.task_id)


def docno_parts(collection: Collection) -> Iterator[pl.Series]:
    """Yield the docnos of the collection in byte order, CHUNK at a time."""
    after = ""
    documents = Document.objects.filter(collection=collection).order_by("docno")
    while docnos := list(documents.filter(docno__gt=after).values_list("docno", flat=True)[:CHUNK]):
        yield pl.Series("docno", docnos, pl.String)
        after = docnos[-1]
