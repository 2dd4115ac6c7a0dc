"""Leases are renewed and extended; what happens to items and late judgments when one expires."""

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from assessment.assigning.actions import end_assignment, open_queue, pause_assignment
from assessment.dashboard.progress import progress_by_queue
from assessment.judging.actions import AssignmentPaused, JudgingNotOpen
from assessment.judging.leases import extend_lease, lease_items
from assessment.models import JudgedItem, JudgingPlan, Judgment, Purpose
from evaluation.models import Phase, Task
from tests.assessment.factories import (
    docnos_of,
    expire,
    judge,
    make_judging_pool,
    make_queue,
    take_topic,
    undo,
)
from tests.factories import dates_of, make_assessor, make_document

pytestmark = pytest.mark.django_db


def test_lease_is_renewed_and_extended_before_it_is_needed() -> None:
    pool, (ann, ben) = make_queue()
    leased = take_topic(pool, ann, "T1", size=1)
    leased.slots.update(expires_at=Now() + timedelta(seconds=30))
    extend_lease(assignment=leased, by=ann, size=2)
    assert docnos_of(leased) == ["D2", "D1"]
    assert not leased.slots.filter(expires_at__lt=Now() + timedelta(seconds=60)).exists()
    extend_lease(assignment=leased, by=ann, size=2)  # two are open
    assert docnos_of(leased) == ["D2", "D1"]
    judge(leased, "D2", 1)
    take_topic(pool, ben, "T1")  # the last one
    extend_lease(assignment=leased, by=ann, size=2)
    assert leased.open_places() == [2]


def test_items_with_a_judgment_stay_out_of_renewed_leases() -> None:
    """A filled slot has no end: with one it would be leased to somebody else later."""
    pool, (ann, _) = make_queue()
    leased = take_topic(pool, ann, "T1", size=2)
    judge(leased, "D2", 1)
    leased.slots.filter(docno="D1").update(expires_at=Now() - timedelta(seconds=1))
    assert lease_items(pool=pool, by=ann) == leased
    assert not leased.slots.filter(expires_at__lt=Now()).exists()
    assert docnos_of(leased) == ["D2", "D1"]
    extend_lease(assignment=leased, by=ann)
    assert leased.slots.get(docno="D2").expires_at is None
    assert leased.slots.filter(expires_at__isnull=False).count() == 2


def test_judgment_renews_no_lease_that_has_expired() -> None:
    pool, (ann, ben) = make_queue()
    mine = take_topic(pool, ann, "T1")
    mine.slots.filter(docno="D1").update(expires_at=Now() - timedelta(seconds=1))
    judge(mine, "D2", 1)
    assert docnos_of(take_topic(pool, ben, "T1")) == ["D1"]


@pytest.mark.parametrize(("minutes", "least"), [(30, 89), (240, 239)])
def test_items_stored_in_a_browser_are_held_for_90_minutes_or_the_plans_lease(
    minutes: int, least: int
) -> None:
    pool, (ann, _) = make_queue()
    JudgingPlan.objects.create(task=pool.task, lease_minutes=minutes)
    leased = take_topic(pool, ann, "T1", size=1)
    extend_lease(assignment=leased, by=ann, is_held=True)
    assert leased.slots.filter(expires_at__gt=Now() + timedelta(minutes=least)).count() == 3
    judge(leased, "D2", 1)
    assert leased.slots.filter(expires_at__gt=Now() + timedelta(minutes=least)).count() == 2


def test_lease_is_not_extended_where_nothing_may_be_judged() -> None:
    pool, (ann, _) = make_queue()
    leased = take_topic(pool, ann, "T1", size=1)
    pause_assignment(assignment=leased, is_paused=True)
    with pytest.raises(AssignmentPaused):
        extend_lease(assignment=leased, by=ann)
    pause_assignment(assignment=leased, is_paused=False)
    Task.objects.update(**dates_of(Phase.RELEASED))
    with pytest.raises(JudgingNotOpen):
        extend_lease(assignment=leased, by=ann)
    with pytest.raises(JudgingNotOpen):
        lease_items(pool=pool, by=ann)
    assert docnos_of(leased) == ["D2"]


def test_expired_lease_goes_back_and_the_late_judgment_is_stored_as_extra() -> None:
    pool, (ann, ben) = make_queue()
    late = take_topic(pool, ann, "T1")
    judge(late, "D2", 2)
    late.slots.filter(expires_at__isnull=False).update(expires_at=Now() - timedelta(seconds=1))
    taken = take_topic(pool, ben, "T1")
    assert docnos_of(taken) == ["D1", "D3"]  # D2 is judged
    kept = judge(late, "D1", 1, client_uuid=(number := uuid.uuid4()))
    assert kept.purpose == Purpose.EXTRA
    assert judge(late, "D1", 1, client_uuid=number) == kept
    assert late.open_places() == []
    judge(taken, "D1", 2)
    [queue] = progress_by_queue(pool.task)
    assert queue.given_count == 2  # D2 by ann, D1 by ben
    assert Judgment.objects.of_work().get(docno="D1").assessor == ben
    item = JudgedItem.objects.get(docno="D1")
    assert (item.grades, item.is_disputed) == ([2], False)
    undo(late, kept)
    assert not Judgment.objects.current().filter(assessor=ann, docno="D1").exists()


def test_item_with_an_extra_judgment_may_come_back_to_its_author() -> None:
    pool, (ann, ben) = make_queue()
    late = take_topic(pool, ann, "T1", size=1)
    expire(late)
    taken = take_topic(pool, ben, "T1", size=1)
    assert judge(late, "D2", 1).purpose == Purpose.EXTRA
    end_assignment(assignment=taken, by=pool.created_by)
    assert take_topic(pool, ann, "T1", size=1) == late
    assert (docnos_of(late), late.open_places()) == (["D2"], [1])


def test_expired_lease_that_nobody_took_still_counts() -> None:
    pool, (ann, ben) = make_queue()
    late = take_topic(pool, ann, "T1")
    expire(late)
    judge(late, "D1", 1)
    assert docnos_of(take_topic(pool, ben, "T1")) == ["D2", "D3"]


def test_lost_item_that_comes_back_keeps_its_place() -> None:
    pool, (ann, ben) = make_queue()
    mine = take_topic(pool, ann, "T1", size=1)
    expire(mine)
    other = take_topic(pool, ben, "T1", size=1)
    end_assignment(assignment=other, by=pool.created_by)
    assert take_topic(pool, ann, "T1") == mine
    assert docnos_of(mine) == ["D2", "D1", "D3"]
    assert mine.open_places() == [1, 2, 3]


def test_undone_judgment_opens_the_lease_again() -> None:
    pool, (ann, _) = make_queue()
    mine = take_topic(pool, ann, "T1")
    judgment = judge(mine, "D1", 1)
    assert mine.slots.get(docno="D1").expires_at is None
    undo(mine, judgment)
    assert mine.slots.filter(docno="D1", expires_at__gt=Now() + timedelta(minutes=29)).exists()


def test_each_judgment_makes_the_other_leases_last_as_long_again() -> None:
    pool, (ann, _) = make_queue()
    mine = take_topic(pool, ann, "T1")
    mine.slots.update(expires_at=Now() + timedelta(seconds=50))
    judge(mine, "D2", 1)
    assert mine.slots.filter(expires_at__gt=Now() + timedelta(minutes=20)).count() == 2
    assert mine.slots.get(docno="D2").expires_at is None


@pytest.mark.django_db(transaction=True)
def test_lease_is_extended_while_its_items_are_judged() -> None:
    """Both renew the same leases: judgments lock the assignment first, and so does the lease."""
    docnos = [f"D{number}" for number in range(40)]
    pool = make_judging_pool(pairs=[("T1", docno) for docno in docnos])
    for docno in docnos[4:] + docnos[:1]:
        make_document(pool.task.collection, docno=docno)
    person = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1, assessor_count=1)
    leased = lease_items(pool=pool, by=person, size=40)
    is_done, failures = threading.Event(), list[BaseException]()

    def extend() -> None:
        try:
            while not is_done.is_set():
                extend_lease(assignment=leased, by=person)
                lease_items(pool=pool, by=person)
        except DatabaseError as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=extend) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for docno in docnos[:-1]:
            judge(leased, docno, 1)
    finally:
        is_done.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert len(leased.open_places()) == 1
