import pytest

from assessment.assigning.actions import assign_topics, open_queue
from assessment.models import CannotJudge, Purpose, Slot
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
