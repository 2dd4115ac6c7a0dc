"""Items that look alike stand side by side on walls, and their copied judgments say so."""

import json
import re
import uuid

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import open_queue
from assessment.judging.leases import lease_items
from assessment.models import AssignedItem, Assignment, JudgingPlan, Judgment
from evaluation.models import Document, Pool
from tests.assessment.factories import docnos_of, make_assignment, page
from tests.assessment.wall.walled import judged, make_walled_pool, send, statuses, undone
from tests.factories import make_assessor, make_image

pytestmark = pytest.mark.django_db


def make_alike_pool() -> Pool:
    """D1 to D6 of T1 on a wall: D1, D4 and D6 have one text, D2 and D5 one picture."""
    pool = make_walled_pool({"T1": 6})
    Document.objects.filter(docno__in=("D1", "D4", "D6")).update(fields=[["caption", "one text"]])
    Document.objects.filter(docno__in=("D2", "D5")).update(image=make_image())
    return pool


def make_alike() -> Assignment:
    return make_assignment(make_alike_pool())


def test_items_that_look_alike_are_side_by_side_and_marked(client: Client) -> None:
    assignment = make_alike()
    docnos = list(assignment.items.order_by("place").values_list("docno", flat=True))
    assert docnos == ["D1", "D4", "D6", "D2", "D5", "D3"]
    text = page(client, "judging_wall", assignment, 1)
    assert re.findall(r'data-alike="(\d+)"', text) == ["0", "0", "0", "3", "3"]
    assert (text.count("3 alike"), text.count("2 alike")) == (3, 2)


@pytest.mark.parametrize(
    ("has_walls", "docnos"),
    [(True, ["D1", "D4", "D6", "D2", "D5", "D3"]), (False, ["D1", "D2", "D3", "D4", "D5", "D6"])],
)
def test_items_leased_from_a_queue_are_side_by_side_on_walls_only(has_walls: bool, docnos: list[str]) -> None:
    pool = make_alike_pool()
    person = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1, assessor_count=1)
    JudgingPlan.objects.update(single_people=[] if has_walls else [person.pk])
    assert docnos_of(lease_items(pool=pool, by=person)) == docnos


def test_item_that_is_judged_alone_has_nothing_alike(client: Client) -> None:
    assignment = make_alike()
    item = assignment.items.get(docno="D5")
    AssignedItem.objects.filter(pk=item.pk).delete()
    AssignedItem.objects.create(assignment=assignment, place=5, docno="D5", is_single=True, single_every=10)
    assert re.findall(r'data-alike="(\d+)"', page(client, "judging_wall", assignment, 1)) == ["0", "0", "0"]


def test_copies_name_their_judgment_each_is_refused_by_itself_and_all_can_be_undone(client: Client) -> None:
    assignment = make_alike()
    send(client, assignment, judged(3, 0, cell=3))
    first = judged(1, 2)
    source = first["fields"]["client_uuid"]
    copies = [judged(2, 2, copied_from=source), judged(3, 2, cell=3, copied_from=source)]
    assert statuses(send(client, assignment, first, *copies)) == [200, 200, 409]  # D6 has another grade
    rows = Judgment.objects.filter(grade=2).order_by("pk").values_list("docno", "copied_from")
    assert list(rows) == [("D1", None), ("D4", uuid.UUID(source))]
    assert statuses(send(client, assignment, undone(copies[0]), undone(first))) == [200, 200]
    assert [(row.docno, row.mark) for row in Judgment.objects.current()] == [("D6", 0)]


def test_only_a_key_on_a_wall_copies(client: Client) -> None:
    assignment = make_alike()
    source = uuid.uuid4()
    events = [
        judged(1, 1, wall=None, cell=None, copied_from=source),
        judged(2, 0, is_by_rest="on", copied_from=source),
    ]
    assert statuses(send(client, assignment, *events)) == [200, 200]
    assert not Judgment.objects.filter(copied_from__isnull=False).exists()
    made = Judgment.objects.get(docno="D1")
    made.pk, made.client_uuid, made.copied_from = None, uuid.uuid4(), source
    with pytest.raises(IntegrityError, match="judgment_copied_on_a_wall"), transaction.atomic():
        made.save(force_insert=True)


def test_file_of_judgments_names_what_was_copied(client: Client) -> None:
    assignment = make_alike()
    first = judged(1, 2)
    send(client, assignment, first, judged(2, 2, copied_from=first["fields"]["client_uuid"]))
    task = assignment.pool.task
    client.force_login(assignment.pool.created_by)
    answer = client.get(reverse("judgments_export", args=[task.track.slug, task.slug, "jsonl"]))
    rows = [json.loads(line) for line in b"".join(answer).splitlines()]
    assert [row["copied_from"] for row in rows] == [None, rows[0]["event"]]
