"""Assignments of a task with walls."""

import json
import uuid
from typing import Any

from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, JudgingPlan, Surface
from evaluation.models import Document, Phase, Pool
from tests.assessment.assigning.sent_judgments import sent
from tests.assessment.factories import make_assignment
from tests.factories import make_document, make_pool, make_task, make_topic


def make_walled_pool(sizes: dict[str, int], *, surface: Surface = Surface.WALL, **plan: Any) -> Pool:
    """A pool with this number of items of each topic: D1, D2 ... in this order."""
    task = make_task(phase=Phase.JUDGING)
    for topic in sizes:
        make_topic(task, number=topic)
    for number in range(1, max(sizes.values()) + 1):
        make_document(task.collection, docno=f"D{number}")
    JudgingPlan.objects.create(task=task, surface=surface, **plan)
    pairs = [(topic, f"D{number}") for topic, size in sizes.items() for number in range(1, size + 1)]
    return make_pool(task, pairs=pairs)


def make_walled(size: int = 60, **fields: Any) -> Assignment:
    """An assignment of topic T1 with walls of 24, 24 and 12 items."""
    return make_assignment(make_walled_pool({"T1": size}, **fields))


def judged(place: int, grade: int | None = 0, **changes: Any) -> dict[str, Any]:
    """The event of a wall's script for the item at the place; ``wall`` and ``cell`` as on the first wall."""
    fields = sent(**{"grade": grade, "wall": 1, "cell": place, **changes})
    return {
        "place": place,
        "kind": "judgment",
        "fields": {name: str(value) for name, value in fields.items()},
    }


def undone(event: dict[str, Any]) -> dict[str, Any]:
    fields = {"undoes": event["fields"]["client_uuid"], "client_uuid": str(uuid.uuid4())}
    return {"place": event["place"], "kind": "undo", "fields": fields}


def send(client: Client, assignment: Assignment, *events: Any) -> Any:
    """The response to one request with the events, signed in as the assessor."""
    client.force_login(assignment.assessor)
    answer = client.post(reverse("events_record", args=[assignment.pk]), {"events": json.dumps(events)})
    return answer.json() | {"code": answer.status_code}


def statuses(response: Any) -> list[int]:
    return [result["status"] for result in response["results"]]


def judge_walls(client: Client, assignment: Assignment, *walls: int) -> None:
    """Grade all items of these walls of the assignment 0, a request a wall."""
    hashes = dict(Document.objects.values_list("docno", "image"))
    docnos = dict(assignment.items.values_list("place", "docno"))
    for wall in walls:
        places = [place for place in docnos if (place - 1) // 24 == wall - 1]
        events = [
            judged(place, wall=wall, cell=(place - 1) % 24 + 1, image_sha256=hashes[docnos[place]] or "")
            for place in places
        ]
        assert set(statuses(send(client, assignment, *events))) == {200}
