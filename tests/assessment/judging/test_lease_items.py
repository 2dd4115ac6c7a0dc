import threading

import pytest
from django.db import connection

from assessment.assigning.actions import end_assignment, open_queue, pause_assignment
from assessment.dashboard.progress import progress_by_queue
from assessment.judging.actions import AssignmentPaused, AssignmentStopped
from assessment.judging.leases import NothingLeft, extend_lease, lease_items
from assessment.models import Assignment, AssignmentKind, GoldItem, JudgingPlan, Purpose, Slot
from assessment.models.gold import GoldUse
from assessment.publishing.actions import publish_judgments
from assessment.training.actions import ExamNotPassed
from evaluation.models import User
from tests.assessment.factories import (
    docnos_of,
    judge,
    make_assignment,
    make_judging_pool,
    make_queue,
    take_topic,
    undo,
)
from tests.factories import (
    make_assessor,
    make_document,
    make_pool,
    make_run,
    make_team,
    make_team_member,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_items_go_to_one_assessor_each_in_the_pools_order() -> None:
    pool, (ann, ben) = make_queue()
    first = take_topic(pool, ann, "T1", size=2)
    second = take_topic(pool, ben, "T1", size=2)
    assert docnos_of(first) == ["D2", "D1"]
    assert docnos_of(second) == ["D3"]
    assert all(slot.expires_at for slot in first.slots.all())


def test_next_items_follow_the_judged_ones_in_the_same_assignment() -> None:
    pool, (ann, _) = make_queue()
    leased = take_topic(pool, ann, "T1", size=2)
    judge(leased, "D2", 1)
    [queue] = progress_by_queue(pool.task)
    # Four pairs, one judgment each: one given, one leased.
    assert (queue.wanted_count, queue.given_count, queue.left_count, queue.leased_count) == (4, 1, 3, 1)
    judge(leased, "D1", 1)
    assert take_topic(pool, ann, "T1") == leased
    assert docnos_of(leased) == ["D2", "D1", "D3"]
    assert leased.open_places() == [3]


def test_overlap_goes_to_so_many_different_people() -> None:
    pool, people = make_queue(assessors=3, percent=100, count=3)
    assert Slot.objects.filter(pool=pool).count() == 12
    for person in people:
        for _topic in ("T1", "T2"):
            leased = lease_items(pool=pool, by=person)
            for docno in docnos_of(leased):
                judge(leased, docno, 1)
        with pytest.raises(NothingLeft):
            lease_items(pool=pool, by=person)
    assert not Slot.objects.filter(expires_at__isnull=False).exists()
    given = set(Slot.objects.filter(docno="D3").values_list("assignment__assessor", flat=True))
    assert given == {person.pk for person in people}


def test_first_assessor_of_an_item_gets_its_first_turn() -> None:
    """Grades of the first turn make the qrels; those of the second only measure agreement."""
    pool = make_judging_pool(pairs=[("T1", docno) for docno in ("D3", "D1", "D2")])
    ann, ben = (make_assessor(pool.task.track) for _ in range(2))
    open_queue(pool=pool, percent=100, seed=1)
    for turn, person in enumerate((ann, ben)):
        leased = lease_items(pool=pool, by=person)
        assert docnos_of(leased) == ["D3", "D1", "D2"]
        assert set(leased.slots.values_list("turn", flat=True)) == {turn}


def test_repeats_of_earlier_items_come_with_a_later_lease() -> None:
    pool, (ann, _) = make_queue()
    JudgingPlan.objects.create(task=pool.task, repeat_percent=30)
    leased = take_topic(pool, ann, "T1", size=2)
    for item in leased.items.all():
        judge(leased, item.docno, 1, purpose=Purpose(item.purpose))
    take_topic(pool, ann, "T1")
    assert leased.items.filter(purpose=Purpose.REPEAT).exists()
    assert leased.items.filter(purpose=Purpose.WORK).count() == 3


def test_gold_items_of_a_lease_come_once_and_stay_gold() -> None:
    pool, (ann, _) = make_queue()
    JudgingPlan.objects.create(task=pool.task, gold_percent=30)
    for docno in ("G1", "G2"):
        make_document(pool.task.collection, docno=docno)
        GoldItem.objects.create(task=pool.task, topic="T1", docno=docno, grade=1)
    leased = take_topic(pool, ann, "T1", size=2)
    extend_lease(assignment=leased, by=ann)
    gold = leased.items.filter(purpose=Purpose.GOLD)
    assert sorted(item.docno for item in gold) == ["G1", "G2"]
    assert all(judge(leased, item.docno, 1, purpose=Purpose.GOLD).purpose == Purpose.GOLD for item in gold)


def test_each_lease_brings_gold_that_is_left_and_repeats_only_items_of_the_pool() -> None:
    """A repeat of a gold item would reveal to the assessor that it is not from the pool."""
    count = 8  # so many that a random choice among all items would be noticed
    pool = make_judging_pool(pairs=[("T1", f"D{number}") for number in range(count)])
    ann = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1, assessor_count=1)
    JudgingPlan.objects.create(task=pool.task, gold_percent=30, repeat_percent=30)
    for number in range(count):
        GoldItem.objects.create(task=pool.task, topic="T1", docno=f"G{number}", grade=1)
    leased = lease_items(pool=pool, by=ann, size=1)
    for _ in range(1, count):
        extend_lease(assignment=leased, by=ann, size=len(leased.open_places()) + 1)
    shown = list(leased.items.values_list("purpose", "docno"))
    assert sorted(docno for purpose, docno in shown if purpose == Purpose.GOLD) == [
        f"G{number}" for number in range(count)
    ]
    repeated = {docno for purpose, docno in shown if purpose == Purpose.REPEAT}
    assert repeated
    assert repeated <= {f"D{number}" for number in range(count)}


def test_member_of_a_team_in_the_pool_gets_nothing() -> None:
    pool, (ann, _) = make_queue()
    team = make_team(pool.task.track)
    run = make_run(pool.task, team, received_by=make_team_member(team))
    pool.pool_runs.create(run=run, depth=1)
    ann.memberships.create(track=pool.task.track, role="team_member", team=team)
    with refused("may-not-judge"):
        lease_items(pool=pool, by=ann)
    assert not Slot.objects.queued_pools(User.objects.get(pk=ann.pk)).exists()


def test_nothing_is_leased_before_the_exam_is_passed() -> None:
    pool, (ann, _) = make_queue()
    leased = take_topic(pool, ann, "T1", size=1)
    JudgingPlan.objects.create(task=pool.task, pass_percent=100)
    GoldItem.objects.create(task=pool.task, topic="T2", docno="D9", grade=1, use=GoldUse.EXAM)
    with pytest.raises(ExamNotPassed):
        lease_items(pool=pool, by=ann)
    with pytest.raises(ExamNotPassed):
        extend_lease(assignment=leased, by=ann)
    assert docnos_of(leased) == ["D2"]


def test_paused_and_ended_assignments_take_no_judgment() -> None:
    pool, (ann, _) = make_queue()
    mine = take_topic(pool, ann, "T1")
    pause_assignment(assignment=mine, is_paused=True)
    with pytest.raises(AssignmentPaused, match="paused"):
        judge(mine, "D1", 1)
    pause_assignment(assignment=mine, is_paused=False)
    judge(mine, "D1", 1)
    end_assignment(assignment=mine, by=pool.created_by)
    with pytest.raises(AssignmentStopped, match="closed"):
        judge(mine, "D2", 1)
    assert Slot.objects.filter(topic="T1", assignment__isnull=True).count() == 2


def test_grade_that_is_current_again_after_an_undo_fills_its_slot() -> None:
    pool, (ann, _) = make_queue()
    mine = take_topic(pool, ann, "T1")
    judge(mine, "D1", 1)
    flagged = judge(mine, "D1", 1, is_flagged=True)
    undo(mine, flagged)
    assert mine.slots.get(docno="D1").expires_at is None
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert dict(qrels.pairs.graded().values_list("docno", "grade")) == {"D1": 1}


def test_repeat_of_an_item_does_not_fill_its_slot_after_an_undo() -> None:
    pool, (ann, _) = make_queue()
    mine = take_topic(pool, ann, "T1")
    mine.items.create(place=90, docno="D1", purpose=Purpose.REPEAT)
    work = judge(mine, "D1", 1)
    judge(mine, "D1", 2, purpose=Purpose.REPEAT)
    undo(mine, work)
    assert mine.slots.get(docno="D1").expires_at is not None


@pytest.mark.parametrize("hindrance", ["adjudication", "pause"])
def test_topic_in_which_the_assessor_has_other_work_is_skipped(hindrance: str) -> None:
    pool, (ann, _) = make_queue()
    if hindrance == "adjudication":
        make_assignment(pool, assessor=ann, kind=AssignmentKind.ADJUDICATION)
    else:
        pause_assignment(assignment=take_topic(pool, ann, "T1", size=1), is_paused=True)
    assert lease_items(pool=pool, by=ann).topic == "T2"
    judge(Assignment.objects.get(topic="T2"), "D1", 1)
    with pytest.raises(NothingLeft):
        lease_items(pool=pool, by=ann)


def test_second_judgment_of_an_item_is_by_another_person_also_across_pools() -> None:
    pool, (ann, ben) = make_queue()
    judge(take_topic(pool, ann, "T1", size=1), "D2", 1)
    later = make_pool(pool.task, name="later", pairs=[("T1", "D2")])
    open_queue(pool=later, percent=100, seed=1)
    with pytest.raises(NothingLeft):
        lease_items(pool=later, by=ann)
    assert docnos_of(lease_items(pool=later, by=ben)) == ["D2"]


@pytest.mark.django_db(transaction=True)
def test_assessors_who_take_at_the_same_moment_never_get_the_same_item() -> None:
    pool = make_judging_pool(pairs=[("T1", f"D{number}") for number in range(40)])
    people = [make_assessor(pool.task.track) for _ in range(4)]
    open_queue(pool=pool, percent=0, seed=1)
    barrier = threading.Barrier(len(people))
    taken: list[list[str]] = []

    def take(person: User) -> None:
        barrier.wait()
        taken.append(docnos_of(lease_items(pool=pool, by=person, size=10)))
        connection.close()

    threads = [threading.Thread(target=take, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    every_docno = [f"D{number}" for number in range(40)]
    assert sorted(docno for docnos in taken for docno in docnos) == sorted(every_docno)
