"""Qrels of pools that are judged item by item: the first turn's grades, and those of later turns."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from assessment.core.consolidation import ConsolidationRule
from assessment.models import AssignmentKind, CannotJudge, Judgment, Purpose, Slot
from assessment.publishing.actions import publish_judgments
from evaluation.models import Criteria, Pool, Task, User
from tests.assessment.factories import make_assignment, make_judging_pool, rows_of
from tests.factories import GRADES, make_assessor, make_pool

pytestmark = pytest.mark.django_db


def fill_slot(pool: Pool, docno: str, turn: int, person: User, *, topic: str = "T1", **fields: Any) -> Slot:
    """A slot that the person has filled; with ``expires_at`` only a lease."""
    given, _ = pool.assignments.get_or_create(
        topic=topic,
        assessor=person,
        defaults={"kind": AssignmentKind.ITEMS, "assigned_by": pool.created_by},
    )
    return Slot.objects.create(
        pool=pool, topic=topic, docno=docno, turn=turn, position=0, assignment=given, **fields
    )


def store(task: Task, person: User, docno: str, grade: int | None, **fields: Any) -> Judgment:
    """A judgment of T1, as its row in the database."""
    return Judgment.objects.create(
        **{
            "task": task,
            "topic": "T1",
            "docno": docno,
            "grade": grade,
            "criteria": Criteria.objects.get(task=task, version=1),
            "assessor": person,
            "client_uuid": uuid.uuid4(),
            "shown_at": timezone.now(),
        }
        | fields
    )


def make_judged_queue() -> Pool:
    """A pool judged item by item: its slots, and judgments in another order than that of the turns."""
    pool, elsewhere = make_judging_pool(), make_judging_pool()
    task = pool.task
    ann, ben, cat, dan = (make_assessor(task.track) for _ in range(4))
    for docno, turn, person in (
        ("D1", 0, ann),
        ("D2", 0, ben),
        ("D1", 1, ben),
        ("D1", 2, cat),
        ("D2", 2, cat),
    ):
        fill_slot(pool, docno, turn, person)
    fill_slot(pool, "D3", 0, ann, expires_at=timezone.now())
    fill_slot(pool, "D1", 0, ann, topic="T2")
    make_assignment(make_pool(task, pairs=[("T2", "D1")]), topic="T2", assessor=dan)
    # The same person owns the topic in another task, and has filled a slot of the leased item there.
    make_assignment(elsewhere, assessor=ann)
    fill_slot(elsewhere, "D3", 0, cat)
    fill_slot(make_pool(elsewhere.task, pairs=[("T1", "D3")]), "D3", 0, ann)
    store(task, ann, "D1", 2, purpose=Purpose.REPEAT)
    for person, docno, grade in (
        (cat, "D1", 2), (ben, "D1", 1), (ann, "D1", 0), (ben, "D2", 1), (cat, "D2", 2), (ann, "D3", 2)
    ):  # fmt: skip
        store(task, person, docno, grade)
    store(task, ann, "D1", 0, topic="T2")
    store(task, dan, "D1", 2, topic="T2")
    store(task, dan, "D2", 1, topic="T2")  # in no pool
    store(task, pool.created_by, "D2", None, reason=CannotJudge.TOPIC, purpose=Purpose.ADJUDICATION)
    Criteria.objects.create(task=task, version=2, grades=GRADES)
    return pool


def test_first_turn_makes_the_qrels_and_later_turns_the_second_ones() -> None:
    pool = make_judged_queue()
    people, others = publish_judgments(task=pool.task, by=pool.created_by)
    # A lease is no judgment; who owns a topic goes before who has a slot of it.
    assert rows_of(people) == [
        ("T1", "D1", 0, "ok"),
        ("T1", "D2", 1, "ok"),
        ("T1", "D3", None, "unjudged"),
        ("T2", "D1", 2, "ok"),
    ]
    assert rows_of(others) == [("T1", "D1", 1, "ok"), ("T1", "D2", 2, "ok")]
    # A1 is ann, A2 cat, A3 ben, A4 dan, by their first judgments.
    assert people.provenance["assessors"] == {"A1": 1, "A3": 1, "A4": 1}
    assert others.provenance["assessors"] == {"A2": 1, "A3": 1}
    assert people.provenance["criteria"] == [1]
    assert people.provenance["overlap"] == {"topics": 1, "pairs": 2}


def test_item_that_only_a_later_turn_graded_has_no_grade_of_the_first() -> None:
    pool = make_judging_pool()
    ann, ben = (make_assessor(pool.task.track) for _ in range(2))
    for docno, turn, person, grade in (
        ("D1", 0, ann, 2),
        ("D2", 1, ben, 2),
        ("D3", 0, ann, None),
        ("D3", 1, ben, 1),
    ):
        fill_slot(pool, docno, turn, person)
        store(pool.task, person, docno, grade, reason="" if grade else CannotJudge.TOPIC)
    people, others = publish_judgments(task=pool.task, by=pool.created_by)
    assert rows_of(people)[:3] == [
        ("T1", "D1", 2, "ok"),
        ("T1", "D2", None, "unjudged"),
        ("T1", "D3", None, "cannot_judge"),
    ]
    assert rows_of(others) == [("T1", "D2", 2, "ok"), ("T1", "D3", 1, "ok")]


def test_highest_grade_of_all_turns_counts_and_no_grade_without_a_slot() -> None:
    pool = make_judged_queue()
    people, _ = publish_judgments(task=pool.task, by=pool.created_by, rule=ConsolidationRule.MAX)
    assert rows_of(people) == [
        ("T1", "D1", 2, "ok"),
        ("T1", "D2", 2, "ok"),
        ("T1", "D3", None, "unjudged"),
        ("T2", "D1", 2, "ok"),
    ]
