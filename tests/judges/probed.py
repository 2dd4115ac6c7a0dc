"""Pairs whose pictures and captions say whether they fit, and judges that look at one or the other."""

from __future__ import annotations

from typing import Any

from evaluation.models import Document, Pool, TaskKind
from judges.jobs.probing import start_probe
from judges.models import Job, Judge
from tests.factories import make_image, make_pool, make_task, make_topic
from tests.judges.factories import publish_people, run_to_end
from tests.judges.jobs.controlled import CAPTIONED, Grade, make_grader

TOPICS, A_TOPIC = 10, 6
FITS, NOT = "fits", "does not"


def make_probed_pool(*, is_text: bool = False) -> Pool:
    """Ten topics of six documents; those with an even number fit, by caption and by picture."""
    task, rows = make_task(kind=TaskKind.TEXT_TO_TEXT if is_text else TaskKind.TEXT_TO_IMAGE), []
    for topic in range(TOPICS):
        make_topic(task, number=f"T{topic}")
        for number in range(A_TOPIC):
            docno, image = f"D{topic}-{number}", None if is_text else make_image()
            fields = [["caption", f"{NOT if number % 2 else FITS} {docno}."]]
            rows.append(Document(collection=task.collection, docno=docno, image=image, fields=fields))
    Document.objects.bulk_create(rows)
    return make_pool(task, pairs=[(f"T{row.docno[1]}", row.docno) for row in rows])


def publish_fits(pool: Pool) -> None:
    """People's grades: 2 if a document fits, else 0."""
    pairs = pool.items.values_list("topic", "docno")
    publish_people(pool, {(topic, docno): 0 if int(docno[-1]) % 2 else 2 for topic, docno in pairs})


def looking_at(pool: Pool) -> Grade:
    """Grade 2 if the picture is one of a document that fits."""
    documents = pool.task.collection.documents.select_related("image__small")
    fitting = {row.image.small.read() for row in documents if row.image and not int(row.docno[-1]) % 2}
    return lambda _, picture: 2 * (picture in fitting)


def captions_only(words: str, _: bytes) -> int:
    """Grade 2 if the caption says so."""
    return 2 * (FITS in words)


def make_captioned(**changes: Any) -> Judge:
    return make_grader(**{"prompt": CAPTIONED} | changes)


def started_probe(judge: Judge, pool: Pool, **order: Any) -> Job:
    return start_probe(judge=judge, task=pool.task, **{"by": pool.created_by} | order)


def probed(judge: Judge, pool: Pool, **order: Any) -> Job:
    """The probe of a judge, run to its end."""
    return run_to_end(started_probe(judge, pool, **order))


def verdicts(job: Job) -> dict[str, str]:
    return {row["probe"]: row["word"] for row in job.probe["results"]}
