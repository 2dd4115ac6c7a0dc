"""Fills a site with assessors who have much to judge: ``python -m tests.faults.judging_site 4 100``.

Prints a JSON list with, for each assessor, the cookie, the assignment and its items as [place, docno, image].
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING, Any

import django


def fill(assessor_count: int, item_count: int) -> list[dict[str, Any]]:
    """One topic of its own for each assessor; every document has another image."""
    from assessment.actions.assign_topics import assign_topics
    from evaluation.models import Document, Image, Phase
    from tests.factories import make_assessor, make_blob, make_organizer, make_pool, make_task

    task = make_task(phase=Phase.JUDGING, topic_count=assessor_count)
    blob = make_blob(b"a picture")
    sizes = {"original": blob, "display": blob, "small": blob, "thumbnail": blob, "width": 4, "height": 3}
    images = [Image(sha256=_sha256(number), **sizes) for number in range(item_count)]
    Image.objects.bulk_create(images)
    Document.objects.bulk_create(
        Document(collection=task.collection, docno=f"D{number}", image=image)
        for number, image in enumerate(images)
    )
    people = [make_assessor(task.track) for _ in range(assessor_count)]
    pairs = [
        (f"T{topic + 1}", f"D{number}") for topic in range(assessor_count) for number in range(item_count)
    ]
    pool = make_pool(task, pairs=pairs, created_by=make_organizer(task.track))
    made = assign_topics(pool=pool, second_percent=0, seed=1, by=pool.created_by)
    assert len({assignment.assessor_id for assignment in made}) == len(people)
    return [_work_of(assignment) for assignment in made]


def _work_of(assignment: Assignment) -> dict[str, Any]:
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(assignment.assessor)
    items = assignment.items.order_by("place").values_list("place", "docno")
    return {
        "cookie": f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}",
        "assignment": assignment.pk,
        "items": [[place, docno, _sha256(int(docno.removeprefix("D")))] for place, docno in items],
    }


def _sha256(number: int) -> str:
    return hashlib.sha256(f"image {number}".encode()).hexdigest()


if TYPE_CHECKING:
    from assessment.models import Assignment

if __name__ == "__main__":
    django.setup()
    print(json.dumps(fill(int(sys.argv[1]), int(sys.argv[2]))))
