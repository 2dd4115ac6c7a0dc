"""Work of another task, topic or person changes nothing, though topics and docnos have the same names."""

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.actions import open_queue
from assessment.judging.leases import lease_items
from assessment.models import Assignment, GoldItem, GoldUse, JudgedItem, Judgment, Remark, Slot
from evaluation.models import Criteria, Phase, Pool, Task, User
from tests.assessment.factories import judge, make_assignment, make_judging_pool, page, remark
from tests.factories import (
    dates_of,
    make_assessor,
    make_collection,
    make_document,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


def queued_pool() -> tuple[Pool, User]:
    """A pool of T1 (D2, D1, D3) and T2 (D1), judged item by item, and an assessor."""
    pool = make_judging_pool()
    assessor = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1, assessor_count=1)
    return pool, assessor


def test_events_of_another_task_topic_or_person_are_none_of_an_assignment() -> None:
    here, there = make_judging_pool(), make_judging_pool()
    person = make_assessor(here.task.track)
    own = make_assignment(here, assessor=person)
    others = [
        make_assignment(here, topic="T2", assessor=person),
        make_assignment(there, assessor=person),
        make_assignment(here, kind="second"),
    ]
    for each in others:
        judge(each, "D1", 1)
        remark(each, "D1")
    assert own.open_places() == [1, 2, 3]
    assert not own.own_judgments().exists()
    assert not own.own_remarks().exists()
    first, last = judge(own, "D1", 1), judge(own, "D2", 1)
    assert list(own.own_judgments()) == [first, last]
    remark(own, "D1")
    latest = remark(own, "D1")
    assert list(own.own_remarks()) == [latest]


def test_exported_events_are_those_of_the_task(client: Client) -> None:
    here, there = make_judging_pool(), make_judging_pool()
    person = make_assessor(here.task.track)
    own, other = (make_assignment(pool, assessor=person) for pool in (here, there))
    for each in (own, other):
        judge(each, "D1", 1)
        remark(each, "D2")
    alone = remark(make_assignment(here, kind="second"), "D3")
    judge(make_assignment(there, kind="second"), "D3", 1)
    client.force_login(here.created_by)
    address = reverse("judgments_export", args=[here.task.track.slug, here.task.slug, "jsonl"])
    rows = [json.loads(line) for line in b"".join(client.get(address, {"names": "yes"})).splitlines()]
    assert [(row["email"], row["docno"]) for row in rows] == [
        (person.email, "D1"), (person.email, "D2"), (alone.assessor.email, "D3")
    ]  # fmt: skip
    assert [row["assessor"] for row in rows] == ["A1", "A1", None]


def test_remarks_are_seen_by_their_person_and_the_organizers() -> None:
    assignment = make_assignment()
    made = remark(assignment, "D1")
    for person in (assignment.assessor, assignment.pool.created_by):
        assert Remark.objects.visible_to(person).get() == made
    for other in (make_assessor(assignment.pool.task.track), make_organizer(make_track()), make_user()):
        assert not Remark.objects.visible_to(other).exists()


@pytest.mark.parametrize(("clock", "counted"), [(3, 1), (20, 2)])
def test_today_begins_at_midnight_where_the_browser_is(client: Client, clock: int, counted: int) -> None:
    """Of two judgments, of now and of eleven hours ago, the second is of yesterday at three o'clock."""
    east = (clock - timezone.now().hour + 11) % 24 - 11  # hours from UTC, -11 to 12
    client.cookies["zone"] = f"Etc/GMT{-east:+}" if east else "UTC"  # POSIX sign
    assignment = make_assignment()
    judge(assignment, "D1", 1)
    Judgment.objects.create(
        task=assignment.pool.task,
        topic="T1",
        docno="D2",
        grade=1,
        criteria=Criteria.objects.current(assignment.pool.task),
        assessor=assignment.assessor,
        client_uuid=uuid.uuid4(),
        shown_at=timezone.now(),
        judged_at=timezone.now() - timedelta(hours=11),
    )
    assert f"Today {counted} judged" in page(client, "judging_item", assignment, 1)
    client.cookies["zone"] = "No/Where"
    assert "Today" in page(client, "judging_item", assignment, 1)


def test_queues_are_those_of_opened_tasks_for_assessors_of_the_track() -> None:
    pool, assessor = queued_pool()
    make_pool(pool.task)
    assert list(Slot.objects.queued_pools(assessor)) == [pool]
    for other in (make_organizer(pool.task.track), make_assessor(make_track())):
        assert not Slot.objects.queued_pools(other).exists()
    Task.objects.update(**dates_of(Phase.DRAFT))
    assert not Slot.objects.queued_pools(assessor).exists()


def test_work_in_another_task_takes_no_item_of_a_queue_away() -> None:
    (here, person), (there, _) = queued_pool(), queued_pool()
    person.memberships.create(track=there.task.track, role="assessor")
    elsewhere = lease_items(pool=there, by=person)
    judge(elsewhere, elsewhere.items.all()[0].docno, 1)
    free = Slot.objects.filter(pool=here).free_for(person)
    assert (free.count(), free.item_count()) == (4, 4)


def test_training_is_that_of_its_own_task_without_mixed_items() -> None:
    task, other = make_task(), make_task()
    uses = [(task, GoldUse.EXAM), (task, GoldUse.EXAM), (task, GoldUse.PRACTICE), (task, GoldUse.MIXED)]
    exam, second, practice, *_ = [
        GoldItem.objects.create(task=owner, topic="T1", docno=f"D{place}", grade=1, use=use)
        for place, (owner, use) in enumerate([*uses, (other, GoldUse.EXAM)])
    ]
    assert list(GoldItem.objects.of_training(task)) == [practice, exam, second]


def test_topic_is_taken_from_whoever_joins_a_team_with_a_run_in_its_pool() -> None:
    given = make_assignment()
    track, person = given.pool.task.track, given.assessor
    team = make_team(track)
    given.pool.pool_runs.create(run=make_run(given.pool.task, team), depth=1)
    assert Assignment.objects.given_to(person).exists()
    person.memberships.create(track=track, role="team_member", team=team)
    assert not Assignment.objects.given_to(User.objects.get(pk=person.pk)).exists()


def test_gold_item_names_topic_document_and_grade_of_its_task() -> None:
    task = make_task(topic_count=1, document_count=1)
    make_document(make_collection(), docno="elsewhere")
    good = {"task": task, "topic": "T1", "docno": "D1", "grade": 2}
    GoldItem(**good).clean()
    for name, value in (("topic", "T9"), ("docno", "elsewhere"), ("grade", 3)):
        with pytest.raises(ValidationError) as caught:
            GoldItem(**good | {name: value}).clean()
        assert list(caught.value.message_dict) == [name]


def judged_item(task: Task, docno: str, **facts: Any) -> JudgedItem:
    """A disputed item of T1, graded 0 and 1."""
    usual = {"grades": [0, 1], "refusal_count": 0, "distance": 1, "is_refused": False, "is_unseen": False}
    flags = {"is_flagged": False, "is_settled": False, "is_disputed": True}
    return JudgedItem.objects.create(task=task, topic="T1", docno=docno, **usual | flags | facts)


def test_disputed_items_are_open_first_then_flagged_refused_and_by_distance() -> None:
    task = make_task()
    settled = judged_item(task, "D1", is_settled=True, is_flagged=True)
    near, far = judged_item(task, "D2"), judged_item(task, "D3", distance=2, grades=[0, 2])
    refused = judged_item(task, "D4", is_refused=True, grades=[], distance=0)
    flagged = judged_item(task, "D5", is_flagged=True)
    judged_item(task, "D0", is_disputed=False)
    assert list(JudgedItem.objects.disputed()) == [flagged, refused, far, near, settled]


def test_items_against_a_judge_are_those_that_a_person_grades_differently() -> None:
    task = make_task()
    grades = {("T1", "D1"): 1, ("T1", "D2"): 1, ("T1", "D3"): 2, ("T1", "D4"): 0, ("T1", "D5"): 1}
    judge_qrels = make_qrels(task, name="judge", grades=grades | {("T2", "D2"): 0})
    make_qrels(task, name="other", grades=dict.fromkeys(grades, 0))
    low = judged_item(task, "D1")  # 0 and 1, the judge 1
    judged_item(task, "D2", grades=[1], distance=0)  # as the judge
    wide = judged_item(task, "D3", grades=[0], distance=0)  # the judge 2
    high = judged_item(task, "D4", grades=[0, 1], is_settled=True)  # the judge 0
    judged_item(task, "D5", grades=[], distance=0, is_refused=True)
    found = JudgedItem.objects.against(judge_qrels)
    assert [(item, item.judge_distance) for item in found] == [(wide, 2), (low, 1), (high, 1)]  # type: ignore[attr-defined]
