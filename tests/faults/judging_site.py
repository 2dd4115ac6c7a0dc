"""Fills a site with assessors and items to judge: ``python -m tests.faults.judging_site 4 100``.

Prints a JSON list with, for each assessor, the cookie, the assignment, its topic and its items as
[place, docno, image].
With ``pictures`` as a third word the images are real ones, to be decoded.
"""

from __future__ import annotations

import hashlib
import json
import sys
from io import BytesIO
from typing import TYPE_CHECKING, Any

import django
from django.db import connection
from PIL import Image as Picture

SIZE = (800, 600)


def fill(assessor_count: int, item_count: int, *, has_pictures: bool) -> list[dict[str, Any]]:
    """One topic for each assessor; every document has another image."""
    from django.test import override_settings

    from assessment.assigning.actions import assign_topics
    from evaluation.models import Document, Phase
    from tests.factories import make_assessor, make_organizer, make_pool, make_task

    task = make_task(phase=Phase.JUDGING, topic_count=assessor_count)
    images = _drawn(item_count) if has_pictures else _named(item_count)
    Document.objects.bulk_create(
        Document(collection=task.collection, docno=f"D{number}", image=image)
        for number, image in enumerate(images)
    )
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        people = [make_assessor(task.track) for _ in range(assessor_count)]
        organizer = make_organizer(task.track)
    pairs = [
        (f"T{topic + 1}", f"D{number}") for topic in range(assessor_count) for number in range(item_count)
    ]
    pool = make_pool(task, pairs=pairs, created_by=organizer)
    made = assign_topics(pool=pool, second_percent=0, seed=1, by=pool.created_by)
    assert len({assignment.assessor_id for assignment in made}) == len(people)
    return [_work_of(assignment) for assignment in made]


def _named(count: int) -> list[Image]:
    """Images without content: only their names are read."""
    from evaluation.models import Image
    from tests.factories import make_blob

    blob = make_blob(b"a picture")
    sizes = {"original": blob, "display": blob, "small": blob, "thumbnail": blob, "width": 4, "height": 3}
    names = [hashlib.sha256(f"image {number}".encode()).hexdigest() for number in range(count)]
    return Image.objects.bulk_create(Image(sha256=name, **sizes) for name in names)


def _drawn(count: int) -> list[Image]:
    """Pictures of the size that the screen shows, each with other colours."""
    images = []
    for number in range(count):
        turned = Picture.radial_gradient("L").resize(SIZE).rotate(number)
        with BytesIO() as file:
            Picture.merge("RGB", (turned, turned.rotate(90), Picture.new("L", SIZE, number % 256))).save(
                file, "JPEG"
            )
            images.append(_stored(file.getvalue()))
    return images


def _stored(content: bytes) -> Image:
    """The image with its copies, made in this process: sandboxes for thousands would take an hour."""
    from evaluation.models import Image
    from tests.factories import make_blob
    from trackside.images import derivatives

    made = derivatives(content)
    original, display, small, thumbnail = map(make_blob, (content, made.display, made.small, made.thumbnail))
    copies = {"original": original, "display": display, "small": small, "thumbnail": thumbnail}
    return Image.objects.create(sha256=original.sha256, width=made.width, height=made.height, **copies)


def _work_of(assignment: Assignment) -> dict[str, Any]:
    from django.conf import settings
    from django.test import Client

    from evaluation.models import Document

    client = Client()
    client.force_login(assignment.assessor)
    items = assignment.items.order_by("place").values_list("place", "docno")
    documents = Document.objects.filter(collection=assignment.pool.task.collection)
    images = dict(documents.values_list("docno", "image"))
    return {
        "cookie": f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}",
        "assignment": assignment.pk,
        "topic": assignment.topic,
        "items": [[place, docno, images[docno]] for place, docno in items],
    }


if TYPE_CHECKING:
    from assessment.models import Assignment
    from evaluation.models import Image

if __name__ == "__main__":
    django.setup()
    assessor_count, item_count, *words = sys.argv[1:]
    made = fill(int(assessor_count), int(item_count), has_pictures="pictures" in words)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum does on a real site of this size
    print(json.dumps(made))
