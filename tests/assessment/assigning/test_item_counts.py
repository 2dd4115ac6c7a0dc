"""The counts of assigned items equal a recount, whatever is assigned, leased and deleted."""

from __future__ import annotations

import pytest
from django.db import connection

from assessment.assigning.actions import assign_topics
from assessment.judging.leases import lease_items
from assessment.models import AssignedCount, AssignedItem, Assignment, Purpose
from tests.aggregates_sql import ITEM_COUNTS
from tests.assessment.factories import make_assignment, make_judging_pool
from tests.assessment.judging.leased_items import make_queue
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db


def kept_counts() -> dict[int, tuple[int, int]]:
    rows = AssignedCount.objects.values_list("assignment", "item_count", "mixed_count")
    return {assignment: (count, mixed) for assignment, count, mixed in rows if count}


def recounted() -> dict[int, tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM assessment_assignedcount")
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
