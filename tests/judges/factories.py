"""Judges, jobs and a generator without a model, for tests."""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from evaluation.models import Pool, Qrels, QrelsKind, TaskKind
from evaluation.qrels.actions import GradedPair, publish_qrels
from judges.catalogue.actions import create_judge
from judges.grades.ensembles import create_ensemble
from judges.jobs.starting import start_job
from judges.models import Job, Judge, Shard
from tests.factories import make_document, make_image, make_pool, make_staff, make_task, make_topic
from trackside.findings.provenance import PeopleProvenance
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, Response, Take, Usage
from trackside.judging.ensembles.ballots import CombinationRule
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.settings import Settings

_numbers = itertools.count(1)


class ScriptedGenerator:
    """A generator without a model: its answer depends on its input, or on ``script``.

    It records requests in ``asked`` and answers in batches of two; ``before`` is called before each.
    """

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.PAIR
    refuses_long_texts: ClassVar[bool] = False
    asked: ClassVar[list[Ask]] = []
    script: ClassVar[Callable[[Ask], Response]]
    before: ClassVar[list[Callable[[], None]]] = []

    def __init__(self, settings: Settings) -> None:
        """Nothing to load."""

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Every setting is fine."""
        return settings

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        """Two at a time."""
        while asks := take(2):
            if self.before:
                self.before.pop(0)()
            self.asked.extend(asks)
            yield [type(self).script(ask) for ask in asks]


def scripted_score(ask: Ask) -> int:
    """The score of a request's input, from 1 to 100."""
    shown = b"".join(part.encode() if isinstance(part, str) else part for part in ask.parts)
    return 1 + int.from_bytes(hashlib.sha256(shown).digest()[:4]) % 100


def scripted_response(ask: Ask) -> Response:
    """A plain answer of 100 input and 5 output tokens."""
    score = scripted_score(ask)
    reading = Reading(Outcome.OK, score)
    return Response(ask.id, reading, text=f"Relevance: {score}", finish_reason="stop", usage=Usage(100, 5))


def make_judge(**changes: Any) -> Judge:
    """A judge of the backend ``counting`` with a separate encoder; ``changes`` go to its settings."""
    number = next(_numbers)
    name = changes.pop("name", f"judge-{number}")
    task_kinds = changes.pop("task_kinds", ())
    given: dict[str, Any] = {
        "backend": "counting",
        "revision": 1,
        "model": f"model-{number}",
        "model_revision": "1",
    } | changes
    return create_judge(name=name, settings=Settings(**given), by=make_staff(), task_kinds=task_kinds)


def make_generator(**changes: Any) -> Judge:
    """A judge of the backend ``scripted``; ``changes`` go to its settings."""
    given = {"backend": "scripted", "prompt": "{fields}\nRelevance?\n{image}", "answer": "relevance-1-100"}
    return make_judge(**given | {"decoding": {"max_tokens": 8}} | changes)


def make_image_pool(*, topic_count: int = 2, image_count: int = 3) -> Pool:
    """Every text topic T1... against every picture D1..., in a frozen pool."""
    task = make_task(topic_count=topic_count)
    for place in range(1, image_count + 1):
        make_document(task.collection, docno=f"D{place}", image=make_image())
    return _whole_pool(task, topic_count, image_count)


def make_text_pool(*, topic_count: int = 2, text_count: int = 3) -> Pool:
    """Every picture topic T1... against every text D1..., in a frozen pool."""
    task = make_task(kind=TaskKind.IMAGE_TO_TEXT, document_count=text_count)
    for place in range(1, topic_count + 1):
        make_topic(task, number=f"T{place}", image=make_image(), fields=[])
    return _whole_pool(task, topic_count, text_count)


def _whole_pool(task: Any, topic_count: int, document_count: int) -> Pool:
    topics, documents = range(1, topic_count + 1), range(1, document_count + 1)
    return make_pool(
        task, pairs=[(f"T{topic}", f"D{document}") for topic in topics for document in documents]
    )


def make_human_qrels(job: Job) -> Qrels:
    """People's grades of a completed job's pairs, in the judge's order except for every fifth pair."""
    calls = list(job.calls.scored().order_by("raw_score"))
    third = len(calls) / 3
    grades = {
        (each.topic, each.docno): int(place / third) if place % 5 else 1 for place, each in enumerate(calls)
    }
    return publish_people(job.pool, grades)


def publish_people(pool: Pool, grades: Mapping[tuple[str, str], int | None], name: str = "people") -> Qrels:
    """People's grades of pairs; they could not judge those without one."""
    pairs = [
        GradedPair(*pair, grade, None, "cannot_judge" if grade is None else "ok")
        for pair, grade in grades.items()
    ]
    return publish_qrels(
        task=pool.task, name=name, kind=QrelsKind.HUMAN, pairs=pairs, provenance=PeopleProvenance(),
        by=pool.created_by,
    )  # fmt: skip


def make_ensemble(jobs: Sequence[Job], rule: CombinationRule, name: str = "") -> Judge:
    """An ensemble of the judges of these jobs; the first one breaks ties."""
    judges, pool = [job.judge for job in jobs], jobs[0].pool
    return create_ensemble(
        name=name or rule, rule=rule, task=pool.task, judges=judges, tie_breaker=judges[0], by=pool.created_by
    )


def judged(judge: Judge, pool: Pool) -> Job:
    """The job of a judge on a pool, run to its end."""
    return run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))


def run_to_end(job: Job) -> Job:
    """Do the workers' tasks in this process."""
    from judges.grades.finishing import finish_job
    from judges.jobs.running import run_shard

    for shard in Shard.objects.filter(job=job):
        run_shard(shard_id=shard.pk)
    finish_job(job_id=job.pk)
    return Job.objects.with_progress().get(pk=job.pk)
