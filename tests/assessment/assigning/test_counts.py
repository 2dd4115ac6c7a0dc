"""Counts of items to judge: of many assignments at once, and of the items of a slot."""

import pytest
from django.db import connection

from assessment.assigning.actions import assign_topics, end_assignment, open_queue, reassign_topic
from assessment.assigning.counts import count_assignments
from assessment.judging.leases import lease_items
from assessment.models import (
    AssignedCount,
    AssignedItem,
    Assignment,
    AssignmentKind,
    CannotJudge,
    Purpose,
    QueuedTopic,
    Slot,
)
from assessment.quality.disagreements import assign_adjudication
from evaluation.models import Task
from tests.aggregates_sql import ITEM_COUNTS, recount
from tests.assessment.factories import (
    docnos_of,
    expire,
    judge,
    make_assignment,
    make_judging_pool,
    make_queue,
)
from tests.assessment.random_judging import undo_last
from tests.factories import make_assessor, make_pool

pytestmark = pytest.mark.django_db


def check(task: Task) -> None:
    one_by_one = Assignment.objects.filter(pool__task=task).with_progress()
    expected = {each.pk: (each.item_count, each.judged_count) for each in one_by_one}
    counted = count_assignments(task)
    assert {pk: (each.item_count, each.judged_count) for pk, each in counted.items()} == expected
    assert expected


def test_counts_of_owners_seconds_and_items_mixed_in() -> None:
    owner = make_assignment()
    second = make_assignment(owner.pool, kind=AssignmentKind.SECOND)
    owner.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    judge(owner, "D1", 1)
    judge(owner, "D1", 1, purpose=Purpose.REPEAT)
    judge(second, "D2", CannotJudge.TOPIC)
    check(owner.pool.task)


def test_counts_after_a_topic_went_to_another_owner_and_into_another_pool() -> None:
    owner = make_assignment()
    pool = owner.pool
    judge(owner, "D1", 1)
    judge(owner, "D2", CannotJudge.TOPIC)
    heir = make_assessor(pool.task.track)
    reassigned = reassign_topic(assignment=owner, to=heir, by=pool.created_by)
    judge(reassigned, "D3", 2)
    again = make_pool(pool.task, pairs=[("T1", "D1"), ("T1", "D3")])
    make_assignment(again, assessor=heir)
    check(pool.task)
    counted = count_assignments(pool.task)
    assert counted[owner.pk].left_count == 0  # ended


def test_counts_of_one_owner_in_two_pools() -> None:
    owner = make_assignment()
    judge(owner, "D1", 1)
    judge(owner, "D2", 0)
    later = make_assignment(
        make_pool(owner.pool.task, pairs=[("T1", "D1"), ("T1", "D4")]), assessor=owner.assessor
    )
    check(owner.pool.task)
    counted = count_assignments(owner.pool.task)
    assert [counted[each.pk].left_count for each in (owner, later)] == [1, 1]
    end_assignment(assignment=owner, by=owner.assigned_by)
    assert count_assignments(owner.pool.task)[owner.pk].left_count == 0


def test_counts_of_adjudication() -> None:
    owner = make_assignment()
    second = make_assignment(owner.pool, kind=AssignmentKind.SECOND)
    judge(owner, "D1", 0)
    judge(second, "D1", 2)
    third = make_assessor(owner.pool.task.track)
    [made] = assign_adjudication(task=owner.pool.task, to=third, by=owner.pool.created_by)
    check(owner.pool.task)
    judge(made, "D1", 2, purpose=Purpose.ADJUDICATION)
    check(owner.pool.task)


def test_counts_of_leased_items() -> None:
    pool = make_judging_pool()
    people = [make_assessor(pool.task.track) for _ in range(2)]
    open_queue(pool=pool, percent=100, seed=1, assessor_count=2)
    for person in people:
        leased = lease_items(pool=pool, by=person)
        judge(leased, leased.items.earliest("place").docno, 1)
        leased.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    check(pool.task)
    ended = end_assignment(assignment=Assignment.objects.earliest("pk"), by=pool.created_by)
    check(pool.task)
    assert count_assignments(pool.task)[ended.pk].judged_count == 1


def kept_counts() -> dict[int, tuple[int, int]]:
    rows = AssignedCount.objects.values_list("assignment", "item_count", "mixed_count")
    return {assignment: (count, mixed) for assignment, count, mixed in rows if count}


def kept_slots() -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Slots and filled ones by assessor, and slots by topic."""
    counted = AssignedCount.objects.exclude(slot_count=0, filled_count=0)
    rows = counted.values_list("assignment__assessor__email", "slot_count", "filled_count")
    by_topic = QueuedTopic.objects.values_list("topic", "slot_count")
    return {email: (count, filled) for email, count, filled in rows}, dict(by_topic)


def recounted() -> dict[int, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM assessment_assignedcount")
        cursor.execute("DELETE FROM assessment_queuedtopic")
        cursor.execute("DELETE FROM evaluation_pooltopic")
        for statement in ITEM_COUNTS:
            cursor.execute(statement)
    return kept_counts()


def test_counts_of_assigned_topics_and_of_mixed_in_items() -> None:
    pool = make_judging_pool()
    make_assessor(pool.task.track)
    make_assessor(pool.task.track)
    assign_topics(pool=pool, second_percent=100, seed=1, by=pool.created_by)
    given = Assignment.objects.order_by("pk").first()
    assert given
    given.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    kept = kept_counts()
    assert sum(count for count, _ in kept.values()) == AssignedItem.objects.count()
    assert kept[given.pk][1] == 1
    assert kept == recounted()


def test_stored_counts_of_leased_items() -> None:
    pool, people = make_queue(assessors=3)
    for person in people:
        lease_items(pool=pool, by=person, size=2)
    kept = kept_counts()
    assert len(kept) == len(people)
    assert kept == recounted()


def test_counts_after_items_of_several_assignments_and_an_assignment_are_deleted() -> None:
    pool = make_judging_pool()
    owner, other = make_assignment(pool), make_assignment(pool, topic="T2")
    before = kept_counts()
    for given in (owner, other):
        given.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    AssignedItem.objects.filter(place__gte=90).delete()
    assert kept_counts() == before
    other.delete()
    assert kept_counts() == {owner.pk: before[owner.pk]}
    assert kept_counts() == recounted()


def test_counts_of_slots_that_are_leased_filled_undone_taken_over_and_deleted() -> None:
    pool, people = make_queue(assessors=3, percent=100, count=2)
    emails = [person.email for person in people]
    assert kept_slots() == ({}, {"T1": 6, "T2": 2})
    Slot.objects.filter(topic="T2").delete()
    first, second = (lease_items(pool=pool, by=person, size=2) for person in people[:2])
    assert kept_slots() == ({emails[0]: (2, 0), emails[1]: (2, 0)}, {"T1": 6, "T2": 0})
    for docno in docnos_of(first):
        judge(first, docno, 1)
    undo_last(first)
    assert kept_slots()[0] == {emails[0]: (2, 1), emails[1]: (2, 0)}
    expire(second)
    third = lease_items(pool=pool, by=people[2], size=9)
    assert kept_slots()[0] == {emails[0]: (2, 1), emails[2]: (3, 0)}
    recount()
    assert kept_slots() == ({emails[0]: (2, 1), emails[2]: (3, 0)}, {"T1": 6})
    end_assignment(assignment=first, by=pool.created_by)
    Slot.objects.filter(assignment=third, turn=1).delete()
    assert kept_slots() == ({emails[0]: (1, 1), emails[2]: (1, 0)}, {"T1": 4})
