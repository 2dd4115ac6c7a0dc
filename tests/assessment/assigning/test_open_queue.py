import pytest

from assessment.assigning.actions import assign_topics, open_queue
from assessment.models import AssignmentKind, CannotJudge, GoldItem, JudgingPlan, Purpose, Slot, Surface
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


PAIRS = [("T1", f"D{number}") for number in range(20)]


def test_gold_and_repeats_are_mixed_in_at_the_plans_rates() -> None:
    pool = make_judging_pool(pairs=PAIRS)
    JudgingPlan.objects.create(task=pool.task, gold_percent=10, repeat_percent=15)
    for docno in ("G1", "G2", "G3", "D4"):  # D4 is pooled: it is judged anyway
        GoldItem.objects.create(task=pool.task, topic="T1", docno=docno, grade=1)
    GoldItem.objects.create(task=pool.task, topic="T2", docno="G9", grade=1)
    items = list(make_assignment(pool).items.order_by("place"))
    assert [item.place for item in items] == list(range(1, 26))
    assert [item.docno for item in items if item.purpose == Purpose.WORK] == [docno for _, docno in PAIRS]
    gold = {item.docno for item in items if item.purpose == Purpose.GOLD}
    assert len(gold) == 2
    assert gold < {"G1", "G2", "G3"}
    assert sum(item.purpose == Purpose.REPEAT for item in items) == 3


def test_walls_have_an_order_for_each_assessor() -> None:
    pool = make_judging_pool(pairs=PAIRS)
    plan = JudgingPlan.objects.create(task=pool.task, surface=Surface.WALL)
    assignments = [make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)]
    plan.single_people = [(single := make_assessor(pool.task.track)).pk]
    plan.save()
    assignments.append(make_assignment(pool, assessor=single, kind=AssignmentKind.SECOND))
    orders = [list(each.items.order_by("place").values_list("docno", flat=True)) for each in assignments]
    in_pool = [docno for _, docno in PAIRS]
    assert [sorted(order) == sorted(in_pool) for order in orders] == [True] * 3
    assert [order == in_pool for order in orders] == [False, False, True]
    assert orders[0] != orders[1]


def test_repeat_is_judged_separately_and_never_enters_qrels() -> None:
    pool = make_judging_pool()  # T1: D2, D1, D3
    JudgingPlan.objects.create(task=pool.task, repeat_percent=30)
    assignment = make_assignment(pool)
    [repeat] = assignment.items.filter(purpose=Purpose.REPEAT)
    judge(assignment, repeat.docno, 2)
    assert repeat.place in assignment.open_places()
    again = judge(assignment, repeat.docno, 0, purpose=Purpose.REPEAT)
    assert repeat.place not in assignment.open_places()
    assert again.purpose == Purpose.REPEAT
    assert [each.grade for each in assignment.own_judgments().of_work()] == [2]
