import pytest

from assessment.assigning.actions import assign_topics, open_queue
from assessment.models import Assignment, AssignmentKind, CannotJudge, Purpose, Slot
from assessment.publishing.actions import publish_judgments
from evaluation.models import Pool
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_assessor, make_pool
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def turns_of(pool: Pool) -> dict[tuple[str, str], list[int]]:
    rows = Slot.objects.filter(pool=pool).order_by("turn").values_list("topic", "docno", "turn")
    found: dict[tuple[str, str], list[int]] = {}
    for topic, docno, turn in rows:
        found.setdefault((topic, docno), []).append(turn)
    return found


def test_every_item_is_wanted_once_and_a_share_of_them_more_often() -> None:
    pool = make_judging_pool()
    for _ in range(3):
        make_assessor(pool.task.track)
    assert open_queue(pool=pool, percent=50, seed=1, assessor_count=3) == 8  # 4 items, 2 of them three times
    assert sorted(turns_of(pool).values()) == [[0], [0], [0, 1, 2], [0, 1, 2]]


def test_existing_judgments_count() -> None:
    first = make_assignment()
    judge(first, "D1", 1)
    pool = make_pool(first.pool.task, pairs=[("T1", "D1"), ("T1", "D4")])
    make_assessor(pool.task.track)
    open_queue(pool=pool, percent=100, seed=1)
    assert turns_of(pool) == {("T1", "D1"): [1], ("T1", "D4"): [0, 1]}


def test_only_grades_of_work_count_and_each_assessor_s_once() -> None:
    first = make_assignment()
    for grade in (1, 2):
        judge(first, "D1", grade)
    judge(first, "D2", CannotJudge.IMAGE)
    judge(first, "D3", 1)
    first.items.create(place=90, docno="D3", purpose=Purpose.REPEAT)
    judge(first, "D3", 1, purpose=Purpose.REPEAT)
    pool = make_pool(first.pool.task, pairs=[("T1", docno) for docno in ("D1", "D2", "D3")])
    make_assessor(pool.task.track)
    open_queue(pool=pool, percent=100, seed=1)
    assert turns_of(pool) == {("T1", "D1"): [1], ("T1", "D2"): [0, 1], ("T1", "D3"): [1]}


def test_pool_is_assigned_once_and_in_one_way() -> None:
    pool = make_judging_pool()
    make_assessor(pool.task.track)
    with refused("too-few-assessors"):
        open_queue(pool=pool, percent=10, seed=1)
    open_queue(pool=pool, percent=0, seed=1)
    with refused("topics-already-assigned"):
        open_queue(pool=pool, percent=0, seed=1)
    with refused("topics-already-assigned"):
        assign_topics(pool=pool, second_percent=0, seed=1, by=pool.created_by)


def test_first_turns_give_the_qrels_and_later_turns_the_second_grades() -> None:
    pool = make_judging_pool()
    open_slots = {("T1", "D1"): 2, ("T1", "D2"): 1}
    people = [make_assessor(pool.task.track) for _ in range(2)]
    given = [
        Assignment.objects.create(
            pool=pool, topic="T1", assessor=person, kind=AssignmentKind.ITEMS, assigned_by=pool.created_by
        )
        for person in people
    ]
    for (topic, docno), count in open_slots.items():
        for turn in range(count):
            Slot.objects.create(
                pool=pool, topic=topic, docno=docno, turn=turn, position=0, assignment=given[1 - turn]
            )
            given[1 - turn].items.create(place=given[1 - turn].items.count() + 1, docno=docno)
    judge(given[0], "D1", 0)  # the second turn, and the first to judge
    judge(given[1], "D1", 2)
    judge(given[1], "D2", 1)
    people_qrels, second = publish_judgments(task=pool.task, by=pool.created_by)
    assert dict(people_qrels.pairs.graded().values_list("docno", "grade")) == {"D1": 2, "D2": 1}
    assert list(second.pairs.values_list("docno", "grade")) == [("D1", 0)]


def test_later_turn_fills_no_gap_of_the_first() -> None:
    """The first turn's assessor could not judge: people's qrels say so, and the grade stays a second one."""
    pool = make_judging_pool()
    marks: list[int | CannotJudge] = [CannotJudge.TOPIC, 2]
    for turn, mark in enumerate(marks):
        given = make_assignment(pool, kind=AssignmentKind.ITEMS, assessor=make_assessor(pool.task.track))
        Slot.objects.create(pool=pool, topic="T1", docno="D1", turn=turn, position=0, assignment=given)
        given.items.create(place=1, docno="D1")
        judge(given, "D1", mark)
    other = make_assignment(pool, topic="T2")
    judge(other, "D1", 1)
    people_qrels, second = publish_judgments(task=pool.task, by=pool.created_by)
    assert people_qrels.pairs.get(topic="T1", docno="D1").outcome == "cannot_judge"
    assert list(second.pairs.values_list("topic", "docno", "grade")) == [("T1", "D1", 2)]
