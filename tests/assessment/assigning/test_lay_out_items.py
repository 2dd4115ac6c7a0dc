import pytest

from assessment.models import AssignmentKind, GoldItem, JudgingPlan, Purpose, Surface
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db

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
