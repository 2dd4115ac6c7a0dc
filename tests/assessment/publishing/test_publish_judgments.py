import hashlib
import uuid

import pytest

from assessment.core.consolidation import ConsolidationRule
from assessment.models import AssignedItem, AssignmentKind, CannotJudge, Purpose
from assessment.publishing.actions import publish_judgments
from assessment.quality.actions import undo_adjudication
from evaluation.models import Criteria, Qrels, QrelsKind
from evaluation.results.qrels.actions import NothingToPublish
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool, rows_of, undo
from tests.factories import make_assessor, make_organizer, make_pool

pytestmark = pytest.mark.django_db


def test_qrels_hold_the_owners_current_judgments_and_give_the_reason_a_grade_is_missing() -> None:
    assignment = make_assignment()
    judge(assignment, "D1", 0)
    judge(assignment, "D1", 2)
    judge(assignment, "D2", CannotJudge.UPSET)
    undone = judge(assignment, "D3", 1)
    undo(assignment, undone)
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
    assert (qrels.topics, qrels.pair_count, qrels.graded_count) == (["T1"], 4, 1)
    assert qrels.provenance == {
        "form": 1,
        "rule": "owner: the current judgment of the topic's first assessor",
        "pools": [pool.name],
        "criteria": [1],
        "assessors": {"A1": 2},
        "overlap": {"topics": 0, "pairs": 0},
        "excluded": [],
        "outcomes": {"ok": 1, "cannot_judge": 1, "unjudged": 2},
        "third": {},
        "nominal_name": "",
        "nominal": {},
    }


def test_second_gradings_are_published_as_separate_qrels() -> None:
    pool = make_judging_pool()
    second = make_assignment(pool, kind=AssignmentKind.SECOND)
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
    judge(other, "D2", 1)
    judge(other, "D1", 2)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert (qrels.version, qrels.provenance["assessors"]) == (2, {"A1": 1, "A2": 2})
    in_order = b"T1 0 D1 2\nT1 0 D2 1\nT2 0 D1 1\n"  # of topic and docno
    assert qrels.sha256 == hashlib.sha256(in_order).hexdigest()


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


def test_latest_of_two_adjudications_counts() -> None:
    pool = make_judging_pool()
    judge(make_assignment(pool), "D1", 0)
    judge(make_assignment(pool, kind=AssignmentKind.SECOND), "D1", 2)
    for grade in (2, 1):
        adjudicate(pool.task, "D1", grade, by=make_organizer(pool.task.track))
    people, _ = publish_judgments(task=pool.task, by=pool.created_by, rule=ConsolidationRule.MAX)
    assert ("T1", "D1", 1, "ok") in rows_of(people)


def test_one_judgment_is_never_both_first_and_second() -> None:
    pool = make_judging_pool()
    make_assignment(pool)
    both = make_assessor(pool.task.track)
    make_assignment(pool, kind=AssignmentKind.SECOND, assessor=both)
    later = make_assignment(make_pool(pool.task, pairs=[("T1", "D1")]), assessor=both)
    judge(later, "D1", 2)
    # Second assessor of the topic in the first pool, owner in the next: the grade is people's, and no second.
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert (qrels.kind, qrels.provenance["overlap"]) == (QrelsKind.HUMAN, {"topics": 0, "pairs": 0})


@pytest.mark.parametrize(
    ("rule", "grades"),
    [
        # D1: 0, 0, and an organizer's 2; D2: 0 and 2; D3: 1 and no grade.
        (ConsolidationRule.OWNER, [0, 0, 1]),
        (ConsolidationRule.MAJORITY, [2, None, 1]),
        (ConsolidationRule.MEAN, [2, 1, 1]),
        (ConsolidationRule.MAX, [2, 2, 1]),
    ],
)
def test_adjudicated_grade_goes_first_by_every_rule_but_the_owner_s(
    rule: ConsolidationRule, grades: list[int | None]
) -> None:
    pool = make_judging_pool()
    second, first = make_assignment(pool, kind=AssignmentKind.SECOND), make_assignment(pool)
    organizer = make_organizer(pool.task.track)
    for docno, own, other in (("D1", 0, 0), ("D2", 0, 2), ("D3", 1, CannotJudge.TOPIC)):
        judge(second, docno, other)
        judge(first, docno, own)
    adjudicate(pool.task, "D1", 1, by=organizer)
    adjudicate(pool.task, "D1", 2, by=organizer)
    undone = adjudicate(pool.task, "D2", 0, by=organizer)
    undo_adjudication(
        task=pool.task,
        topic="T1",
        docno="D2",
        undoes=undone.client_uuid,
        client_uuid=uuid.uuid4(),
        by=organizer,
    )
    people, _ = publish_judgments(task=pool.task, by=pool.created_by, rule=rule)
    assert [grade for topic, _, grade, _ in rows_of(people) if topic == "T1"] == grades
    assert people.provenance["rule"] == rule.words
    if rule == ConsolidationRule.MAJORITY:
        assert people.provenance["outcomes"] == {"ok": 2, "needs_adjudication": 1, "unjudged": 1}
        # The organizer's grade is the only one; D2 and D3 need judgments of both assessors.
        assert people.provenance["assessors"] == {"A1": 2, "A2": 2, "A3": 1}


@pytest.mark.parametrize("rule", list(ConsolidationRule))
def test_item_shown_a_second_time_counts_once(rule: ConsolidationRule) -> None:
    assignment = make_assignment()
    AssignedItem.objects.create(assignment=assignment, place=9, docno="D1", purpose=Purpose.REPEAT)
    judge(assignment, "D1", 1)
    judge(assignment, "D1", 2, purpose=Purpose.REPEAT)
    [qrels] = publish_judgments(task=assignment.pool.task, by=assignment.pool.created_by, rule=rule)
    assert rows_of(qrels)[0] == ("T1", "D1", 1, "ok")
    assert qrels.provenance["assessors"] == {"A1": 1}


def test_grade_of_a_later_owner_fills_the_gap_of_the_first() -> None:
    early = make_assignment()
    later = make_assignment(make_pool(early.pool.task, pairs=[("T1", "D1")]))
    judge(early, "D1", CannotJudge.IMAGE)
    judge(later, "D1", 0)
    [qrels] = publish_judgments(task=early.pool.task, by=early.pool.created_by)
    assert rows_of(qrels)[0] == ("T1", "D1", 0, "ok")
    assert qrels.provenance["assessors"] == {"A2": 1}


def test_overlap_is_what_both_graded() -> None:
    pool = make_judging_pool()
    first, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    judge(first, "D1", 2)
    judge(second, "D1", CannotJudge.TOPIC)
    [people] = publish_judgments(task=pool.task, by=pool.created_by)  # no grade by a second assessor yet
    assert people.provenance["overlap"] == {"topics": 0, "pairs": 0}
    judge(first, "D2", CannotJudge.TOPIC)
    judge(second, "D2", 1)
    people, others = publish_judgments(task=pool.task, by=pool.created_by)
    assert (people.version, others.version) == (2, 1)
    assert others.provenance["overlap"] == {"topics": 0, "pairs": 0}
    for docno in ("D1", "D3"):
        judge(first, docno, 0)
        judge(second, docno, 0)
    _, others = publish_judgments(task=pool.task, by=pool.created_by)
    assert others.provenance["overlap"] == {"topics": 1, "pairs": 2}


@pytest.mark.parametrize("rule", list(ConsolidationRule))
def test_other_tasks_change_nothing(rule: ConsolidationRule) -> None:
    """The same person judges topics and documents of the same names in both."""
    elsewhere = make_judging_pool(pairs=[("T1", "D1"), ("T9", "D9")])
    own = make_judging_pool(pairs=[("T1", "D1"), ("T1", "D2")])
    both = make_assessor(own.task.track)
    early = make_assignment(elsewhere)
    late = make_assignment(make_pool(elsewhere.task, pairs=[("T1", "D1")]), assessor=both)
    judge(early, "D1", 0)
    judge(late, "D1", 0)
    publish_judgments(task=elsewhere.task, by=elsewhere.created_by, rule=rule)
    judge(make_assignment(own, assessor=both), "D1", 2)
    [qrels] = publish_judgments(task=own.task, by=own.created_by, rule=rule)
    assert rows_of(qrels) == [("T1", "D1", 2, "ok"), ("T1", "D2", None, "unjudged")]
    assert (qrels.version, qrels.provenance["assessors"]) == (1, {"A1": 1})
    assert qrels.provenance["pools"] == [own.name]


def test_mean_is_a_grade_of_the_criteria_by_which_the_pair_was_judged() -> None:
    """These criteria have the grades 0 and 2, so the mean 1 becomes 2; later criteria also have 1."""

    def scale(*grades: int) -> list[dict[str, object]]:
        return [{"grade": each, "name": f"Grade {each}", "text": ""} for each in grades]

    first = make_assignment()
    task = first.pool.task
    Criteria.objects.filter(task=task).update(grades=scale(0, 2))
    judge(first, "D1", 0)
    judge(make_assignment(first.pool, kind=AssignmentKind.SECOND), "D1", 2)
    Criteria.objects.create(task=task, version=2, grades=scale(0, 1, 2))
    [people, _] = publish_judgments(task=task, by=first.pool.created_by, rule=ConsolidationRule.MEAN)
    assert rows_of(people)[0] == ("T1", "D1", 2, "ok")
