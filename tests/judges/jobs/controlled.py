"""Judges that look at pictures and judges that do not, on a pool whose topics have different pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from evaluation.models import Document, Pool, TaskKind
from judges.models import Job, Judge
from tests.factories import make_image, make_pool, make_task, make_topic
from tests.judges.endpoint import Act, Request
from tests.judges.factories import make_generator, run_to_end
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, Response, Usage

TOPICS, A_TOPIC = 4, 50
CAPTIONED = "{topic.fields} {document.caption} {document.image} Grade?"
Grade = Callable[[str, bytes], int | None]  # of the words and the picture of a pair; None refuses


def make_topics_pool(kind: TaskKind = TaskKind.TEXT_TO_IMAGE, a_topic: int = A_TOPIC) -> Pool:
    """Topics of two pictures each and no item in common; the captions of even numbers say that they fit."""
    task, rows = make_task(kind=kind), []
    is_of_topics = kind == TaskKind.IMAGE_TO_TEXT
    for topic in range(1, TOPICS + 1):
        images = [None, None] if is_of_topics else [make_image(), make_image()]
        make_topic(task, number=f"T{topic}", image=make_image() if is_of_topics else None)
        for number in range(a_topic):
            docno, image = f"D{topic}-{number}", images[number % 2]
            fields = [["caption", f"{'does not' if number % 2 else 'fits'} {docno}."]]
            rows.append(Document(collection=task.collection, docno=docno, image=image, fields=fields))
    Document.objects.bulk_create(rows)
    return make_pool(task, pairs=[(f"T{row.docno[1]}", row.docno) for row in rows])


def pictures_of(pool: Pool) -> dict[bytes, str]:
    """The topic of each picture, by its bytes."""
    documents = pool.task.collection.documents.filter(docno__regex="-[01]$").select_related("image__small")
    return {row.image.small.read(): f"T{row.docno[1]}" for row in documents if row.image}


def looking(pool: Pool) -> Grade:
    """Grade 2 if the picture belongs to the topic, and the caption says that it fits."""
    topics = pictures_of(pool)
    return lambda words, picture: 2 * ("fits" in words and f"Page of {topics[picture]}\n" in words)


def reading(words: str, _: bytes) -> int:
    """Grade 2 if the caption says so: the judge reads only texts."""
    return 2 * ("fits" in words)


def script(grade: Grade) -> staticmethod[[Ask], Response]:
    def respond(ask: Ask) -> Response:
        words = "".join(part for part in ask.parts if isinstance(part, str))
        given = grade(words, bytes_of(ask))
        outcome = Outcome.REFUSAL if given is None else Outcome.OK
        return Response(ask.id, Reading(outcome, given), text=f"Grade: {given}", usage=Usage(100, 5))

    return staticmethod(respond)


def bytes_of(ask: Ask) -> bytes:
    return b"".join(part for part in ask.parts if isinstance(part, bytes))


def make_grader(**changes: Any) -> Judge:
    return make_generator(**{"prompt": CAPTIONED, "answer": "grade-0-2"} | changes)


def run_all(job: Job) -> Job:
    """Run the job's shards, and those that controls add."""
    for _ in range(4):
        job = run_to_end(job)
    return job


def section(client: Client, job: Job) -> str:
    client.force_login(job.created_by)
    task = job.pool.task
    response = client.get(reverse("job_detail", args=[task.track.slug, task.slug, job.pk]))
    return " ".join(response.content.decode().split())


def served(grade: Grade) -> Callable[[Request], Act]:
    def plan(request: Request) -> Act:
        words = "".join(part for part in request.parts if isinstance(part, str))
        return Act(
            text=f"Grade: {grade(words, b''.join(part for part in request.parts if isinstance(part, bytes)))}"
        )

    return plan
