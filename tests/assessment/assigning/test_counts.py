"""Counts of many assignments at once equal those of each alone, however assignments overlap."""

import pytest

from assessment.assigning.actions import end_assignment, open_queue, reassign_topic
from assessment.assigning.counts import count_assignments
from assessment.judging.leases import lease_items
from assessment.models import Assignment, AssignmentKind, CannotJudge, Purpose
from assessment.quality.disagreements import assign_adjudication
from evaluation.models import Task
from tests.assessment.factories import judge, make_assignment, make_judging_pool
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
