"""The counts of assigned items and of slots equal a recount, whatever is assigned, leased and deleted."""

import pytest
from django.db import connection

from assessment.assigning.actions import assign_topics, end_assignment
from assessment.judging.leases import lease_items
from assessment.models import AssignedCount, AssignedItem, Assignment, Purpose, QueuedTopic, Slot
from tests.aggregates_sql import ITEM_COUNTS, recount
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.assessment.judging.leased_items import docnos_of, expire, make_queue
from tests.assessment.random_judging import undo_last
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db


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


def test_counts_of_leased_items() -> None:
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
