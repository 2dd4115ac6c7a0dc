import uuid
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from assessment.models import Assignment, AssignmentKind, CannotJudge, ExtraQuestion, Judgment
from evaluation.models import Criteria, Phase
from tests.assessment.factories import judge, make_assignment, make_judging_pool, undo
from tests.factories import make_assessor, make_organizer, make_pool, make_staff, make_task, make_user

pytestmark = pytest.mark.django_db


def insert_judgment(assignment: Assignment, **changes: Any) -> Judgment:
    task = assignment.pool.task
    return Judgment.objects.create(
        **{
            "task": task,
            "topic": assignment.topic,
            "docno": "D1",
            "criteria": Criteria.objects.current(task),
            "assessor": assignment.assessor,
            "client_uuid": uuid.uuid4(),
            "shown_at": timezone.now(),
        }
        | changes
    )


def test_assignment_has_one_owner_a_topic_and_goes_to_an_assessor_once() -> None:
    assignment = make_assignment()
    with pytest.raises(IntegrityError, match="assignment_one_owner_a_topic"), transaction.atomic():
        make_assignment(assignment.pool)
    with pytest.raises(IntegrityError, match="assignment_not_twice_to_one_assessor"):
        make_assignment(assignment.pool, assessor=assignment.assessor, kind=AssignmentKind.SECOND)


def test_assignment_is_never_changed() -> None:
    assignment = make_assignment()
    with pytest.raises(DatabaseError, match="Cannot update"):
        Assignment.objects.filter(pk=assignment.pk).update(topic="T2")


def test_assignment_is_deleted_only_while_nothing_is_judged() -> None:
    idle, busy = make_assignment(), make_assignment()
    judge(busy, "D1", 1)
    idle.delete()
    assert not Assignment.objects.filter(topic="T1", assessor=idle.assessor).exists()
    with pytest.raises(DatabaseError, match="has judgments and stays"):
        busy.delete()


def test_judgment_is_never_changed_nor_deleted() -> None:
    judgment = judge(make_assignment(), "D1", 1)
    with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
        Judgment.objects.filter(pk=judgment.pk).update(grade=2)
    with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
        judgment.delete()
    judgment.refresh_from_db()
    assert judgment.grade == 1


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({}, "judgment_is_grade_reason_or_undo"),
        ({"grade": 1, "reason": "image"}, "judgment_is_grade_reason_or_undo"),
        ({"reason": "boring"}, "judgment_is_grade_reason_or_undo"),
        ({"grade": 1, "shown_at": None}, "judgment_was_shown"),
        ({"grade": 1, "active_seconds": -0.1}, "judgment_active_seconds_not_negative"),
        ({"grade": 1, "image_sha256": "D1.jpg"}, "judgment_image_is_sha256"),
    ],
)
def test_judgment_refuses_what_cannot_be(changes: dict[str, Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        insert_judgment(make_assignment(), **changes)


def test_undo_names_a_judgment_of_the_same_pair_and_assessor() -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 1)
    changes: list[dict[str, Any]] = [{"docno": "D2"}, {"topic": "T2"}, {"assessor": make_user()}]
    for change in [*changes, {"undoes": undo(assignment, judgment)}]:
        with pytest.raises(DatabaseError, match="same pair and assessor"), transaction.atomic():
            insert_judgment(assignment, **{"undoes": judgment} | change)


def test_current_judgment_is_the_latest_and_the_former_one_after_an_undo() -> None:
    assignment = make_assignment()
    former = judge(assignment, "D1", 0)
    latest = judge(assignment, "D1", CannotJudge.IMAGE)
    assert list(Judgment.objects.current()) == [latest]
    undo(assignment, latest)
    assert list(Judgment.objects.current()) == [former]
    undo(assignment, former)
    assert not Judgment.objects.current().exists()


def test_current_judgments_are_kept_apart_by_assessor_and_item() -> None:
    assignment = make_assignment()
    second = make_assignment(assignment.pool, kind=AssignmentKind.SECOND)
    mine = judge(assignment, "D1", 0), judge(assignment, "D2", 2)
    other = judge(second, "D1", 1)
    assert set(Judgment.objects.current()) == {*mine, other}


def test_progress_counts_items_with_a_current_judgment() -> None:
    assignment = make_assignment()
    judge(assignment, "D1", 0)
    judge(assignment, "D1", 2)
    undo(assignment, judge(assignment, "D2", 1))
    counted = Assignment.objects.with_progress().get()
    assert (counted.item_count, counted.judged_count) == (3, 1)


def test_progress_of_a_second_assessor_is_their_own_alone() -> None:
    assignment = make_assignment()
    second = make_assignment(assignment.pool, kind=AssignmentKind.SECOND)
    judge(assignment, "D1", 0)
    judge(second, "D2", 0)
    judge(second, "D3", 0)
    first_count, second_count = Assignment.objects.with_progress().order_by("kind")
    assert (first_count.judged_count, second_count.judged_count) == (1, 2)


def test_progress_in_a_later_pool_reuses_the_judgments_of_an_earlier_owner() -> None:
    early = make_assignment()
    pool = make_pool(early.pool.task, pairs=[("T1", "D1"), ("T1", "D3"), ("T2", "D1")])
    same, new = make_assignment(pool), make_assignment(pool, topic="T2")
    judge(early, "D1", 2)
    counts = Assignment.objects.with_progress().in_bulk([same.pk, new.pk])
    assert (counts[same.pk].judged_count, counts[new.pk].judged_count) == (1, 0)
    assert same.open_places() == [2]
    assert not same.own_judgments().exists()


def test_judgments_by_owners_are_of_the_topics_that_the_assessor_owns_in_the_task() -> None:
    """The person owns T1, judges T2 as the second assessor, and owns T2 in another task."""
    pool = make_judging_pool()
    person = make_assessor(pool.task.track)
    owned = judge(make_assignment(pool, topic="T1", assessor=person), "D1", 1)
    judge(make_assignment(pool, topic="T2", assessor=person, kind=AssignmentKind.SECOND), "D1", 0)
    make_assignment(pool, topic="T2")
    task = make_task(pool.task.track, topic_count=2, document_count=1)
    make_assignment(make_pool(task, pairs=[("T2", "D1")]), topic="T2", assessor=person)
    assert list(Judgment.objects.by_owners()) == [owned]


def test_items_of_an_assignment_are_in_the_seeded_order_of_the_pool() -> None:
    assert [item.docno for item in make_assignment().items.all()] == ["D2", "D1", "D3"]


def test_assignments_are_visible_to_their_assessor_and_the_organizers() -> None:
    assignment = make_assignment()
    track = assignment.pool.task.track
    for person in (assignment.assessor, make_organizer(track), make_staff()):
        assert list(Assignment.objects.visible_to(person)) == [assignment]
    other_track = make_assignment()
    for person in (make_assessor(track), make_organizer(other_track.pool.task.track), make_user()):
        assert assignment not in Assignment.objects.visible_to(person)


def test_assignments_are_hidden_from_an_assessor_who_left() -> None:
    assignment = make_assignment()
    assignment.assessor.memberships.all().delete()
    assert not Assignment.objects.visible_to(assignment.assessor).exists()


@pytest.mark.parametrize("phase", list(Phase))
def test_assignments_are_in_judging_in_that_phase_only(phase: Phase) -> None:
    make_assignment(make_judging_pool(phase=phase))
    assert Assignment.objects.in_judging().exists() == (phase == Phase.JUDGING)


def test_judgments_are_visible_to_their_assessor_and_the_organizers() -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 1)
    track = assignment.pool.task.track
    second = make_assignment(assignment.pool, kind=AssignmentKind.SECOND)
    for person in (assignment.assessor, make_organizer(track)):
        assert list(Judgment.objects.visible_to(person)) == [judgment]
    for person in (second.assessor, make_user()):
        assert not Judgment.objects.visible_to(person).exists()


def test_reply_cannot_become_required_once_there_are_judgments() -> None:
    assignment = make_assignment()
    asked = {"task": assignment.pool.task, "text": "Sure?", "choices": "yes\nno"}
    before = ExtraQuestion.objects.create(name="before", **asked)
    judge(assignment, "D2", 1, replies={"before": "yes"})
    before.full_clean()
    later = ExtraQuestion(name="later", **asked)
    with pytest.raises(ValidationError, match="Leave the reply optional"):
        later.full_clean()
    later.is_required = False
    later.full_clean()
    later.save()
    later.is_required = True
    with pytest.raises(ValidationError, match="Leave the reply optional"):
        later.full_clean()
