from __future__ import annotations

import hashlib
import uuid

import pytest

from assessment.judging.actions import undo_judgment
from assessment.models import CannotJudge, Kind
from assessment.publishing.actions import publish_judgments
from evaluation.models import Qrels, QrelsKind
from evaluation.qrels.actions import NothingToPublish
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_assessor, make_pool

pytestmark = pytest.mark.django_db


def rows_of(qrels: Qrels) -> list[tuple[str, str, int | None, str]]:
    return list(qrels.pairs.order_by("topic", "docno").values_list("topic", "docno", "grade", "outcome"))


def test_qrels_hold_the_owners_current_judgments_and_say_why_a_grade_is_missing() -> None:
    assignment = make_assignment()
    judge(assignment, "D1", 0)
    judge(assignment, "D1", 2)
    judge(assignment, "D2", CannotJudge.UPSET)
    undone = judge(assignment, "D3", 1)
    undo_judgment(
        assignment=assignment, undoes=undone.client_uuid, client_uuid=uuid.uuid4(), by=assignment.assessor
    )
    pool = assignment.pool
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert rows_of(qrels) == [
        ("T1", "D1", 2, "ok"),
        ("T1", "D2", None, "cannot_judge"),
        ("T1", "D3", None, "unjudged"),
        ("T2", "D1", None, "unjudged"),
    ]
    assert (qrels.kind, qrels.name, qrels.version, qrels.pool) == (QrelsKind.HUMAN, "people", 1, None)
    assert qrels.sha256 == hashlib.sha256(b"T1 0 D1 2\n").hexdigest()
    assert qrels.provenance == {
        "rule": "owner: the current judgment of the topic's first assessor",
        "pools": [pool.name],
        "criteria": [1],
        "assessors": {"A1": 2},
        "overlap": {"topics": 0, "pairs": 0},
        "outcomes": {"ok": 1, "cannot_judge": 1, "unjudged": 2},
    }


def test_second_gradings_are_published_beside_and_never_mixed_in() -> None:
    pool = make_judging_pool()
    second = make_assignment(pool, kind=Kind.SECOND)
    first = make_assignment(pool)
    judge(second, "D1", 0)
    judge(first, "D1", 2)
    judge(first, "D2", 1)
    judge(second, "D3", 1)
    people, others = publish_judgments(task=pool.task, by=pool.created_by)
    assert rows_of(people) == [
        ("T1", "D1", 2, "ok"),
        ("T1", "D2", 1, "ok"),
        ("T1", "D3", None, "unjudged"),
        ("T2", "D1", None, "unjudged"),
    ]
    # Only the topic that was given to a second assessor: T2 is no gap of theirs.
    assert (others.kind, others.name) == (QrelsKind.SECOND, "second assessor")
    assert rows_of(others) == [
        ("T1", "D1", 0, "ok"),
        ("T1", "D2", None, "unjudged"),
        ("T1", "D3", 1, "ok"),
    ]
    assert people.provenance["overlap"] == others.provenance["overlap"] == {"topics": 1, "pairs": 1}
    # The second assessor judged first of all, and is A1.
    assert (people.provenance["assessors"], others.provenance["assessors"]) == ({"A2": 2}, {"A1": 2})


def test_pseudonyms_stay_when_more_people_judge() -> None:
    pool = make_judging_pool()
    # Accounts are made in the other order than the judgments.
    late, early = make_assessor(pool.task.track), make_assessor(pool.task.track)
    first, other = make_assignment(pool, topic="T2", assessor=early), make_assignment(pool, assessor=late)
    judge(first, "D1", 1)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert qrels.provenance["assessors"] == {"A1": 1}
    judge(other, "D1", 1)
    judge(other, "D2", 1)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert (qrels.version, qrels.provenance["assessors"]) == (2, {"A1": 1, "A2": 2})


def test_qrels_are_the_union_of_the_pools_and_the_earlier_owner_comes_first() -> None:
    early = make_assignment()
    later_pool = make_pool(early.pool.task, pairs=[("T1", "D1"), ("T1", "D2"), ("T2", "D3")])
    later = make_assignment(later_pool)
    judge(later, "D1", 0)
    judge(later, "D2", 1)
    judge(early, "D1", 2)
    [qrels] = publish_judgments(task=early.pool.task, by=early.pool.created_by)
    assert rows_of(qrels) == [
        ("T1", "D1", 2, "ok"),
        ("T1", "D2", 1, "ok"),
        ("T1", "D3", None, "unjudged"),
        ("T2", "D1", None, "unjudged"),
        ("T2", "D3", None, "unjudged"),
    ]


def test_nothing_is_published_before_the_first_grade() -> None:
    assignment = make_assignment()
    judge(assignment, "D1", CannotJudge.TOPIC)
    with pytest.raises(NothingToPublish):
        publish_judgments(task=assignment.pool.task, by=assignment.pool.created_by)
    assert not Qrels.objects.exists()


def test_hash_is_that_of_the_file_in_order_of_topic_and_docno() -> None:
    pool = make_judging_pool()
    first, other = make_assignment(pool), make_assignment(pool, topic="T2")
    for assignment, docno, grade in ((other, "D1", 1), (first, "D3", 0), (first, "D1", 2), (first, "D2", 1)):
        judge(assignment, docno, grade)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    lines = b"T1 0 D1 2\nT1 0 D2 1\nT1 0 D3 0\nT2 0 D1 1\n"
    assert qrels.sha256 == hashlib.sha256(lines).hexdigest()


def test_one_judgment_is_never_both_first_and_second() -> None:
    pool = make_judging_pool()
    make_assignment(pool)
    both = make_assessor(pool.task.track)
    make_assignment(pool, kind=Kind.SECOND, assessor=both)
    later = make_assignment(make_pool(pool.task, pairs=[("T1", "D1")]), assessor=both)
    judge(later, "D1", 2)
    # Second assessor of the topic in the first pool, owner in the next: the grade is people's, and no second.
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert (qrels.kind, qrels.provenance["overlap"]) == (QrelsKind.HUMAN, {"topics": 0, "pairs": 0})
