"""Judges, jobs and a generator without a model, for tests."""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django.core.files.base import ContentFile

from evaluation.models import Pool, Qrels, QrelsKind, TaskKind
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from judges import models
from judges.catalogue.actions import create_judge
from judges.grades.finishing import finish_job
from judges.grades.publishing import fit_mapping, publish_job
from judges.grades.scores import import_scores
from judges.jobs.running import run_shard
from judges.jobs.starting import start_job
from judges.models import Job, Judge, Shard
from tests.factories import make_document, make_image, make_pool, make_staff, make_task, make_topic
from trackside.findings.provenance import PeopleProvenance
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, Response, Take, Usage
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.settings import Settings
from trackside.judging.shipped_prompts import BUILT_IN

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


Scripted = type[ScriptedGenerator]


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


def make_endpoint_judge(endpoint: str, **changes: Any) -> Judge:
    """A judge at this base URL with a prompt of ours; ``changes`` go to its settings."""
    given = {
        "backend": "openai_chat",
        "model": "judge-2026-01-31",
        "model_revision": "",
        "endpoint": endpoint,
    }
    prompt = {"prompt": BUILT_IN[0].template, "answer": BUILT_IN[0].answer}
    return make_judge(**given | prompt | changes)


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


def import_file(name: str, lines: str, pool: Pool, file_name: str = "") -> Job:
    """The job of a judge whose scores are in a file of qrels."""
    file, file_name = ContentFile(lines.encode()), file_name or f"{name}.qrels"
    return import_scores(name=name, file=file, file_name=file_name, pool=pool, by=pool.created_by)


def started(judge: Judge | None = None, pool: Pool | None = None, **order: Any) -> Job:
    """The job of a judge on a pool, planned; by default of an encoder on two topics and three pictures."""
    pool = pool or make_image_pool()
    return start_job(judge=judge or make_judge(), pool=pool, **{"by": pool.created_by} | order)


def judged(judge: Judge | None = None, pool: Pool | None = None, **order: Any) -> Job:
    """The job of a judge on a pool, run to its end."""
    return run_to_end(started(judge, pool, **order))


def run_to_end(job: Job) -> Job:
    """Do the workers' tasks in this process."""
    for shard in Shard.objects.filter(job=job):
        run_shard(shard_id=shard.pk)
    finish_job(job_id=job.pk)
    return Job.objects.with_progress().get(pk=job.pk)


def fitted(job: Job, **options: Any) -> models.Mapping:
    """A mapping fitted on the job's scores."""
    return fit_mapping(job=job, by=job.created_by, **options)


def published(job: Job, mapping: models.Mapping | None = None) -> Qrels:
    """The job's grades, by the mapping or one of the default rule."""
    return publish_job(job=job, mapping=mapping or fitted(job), by=job.created_by)
