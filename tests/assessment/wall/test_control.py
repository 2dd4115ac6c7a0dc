"""One wall in ten comes again, one by one, after 100 more judgments and another topic."""

import pytest
from django.test import Client

from assessment.assigning.lookups import walls_of
from assessment.core.arranging import is_control
from assessment.models import Assignment, JudgingPlan, Purpose, Surface
from evaluation.models import Pool
from tests.assessment.factories import make_assignment
from tests.assessment.wall.walled import judge_walls, make_walled_pool
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db


def repeats(assignment: Assignment) -> list[str]:
    found = assignment.items.filter(purpose=Purpose.REPEAT).order_by("place")
    return list(found.values_list("docno", flat=True))


def make_two(pool: Pool) -> tuple[Assignment, Assignment]:
    """An assessor's assignments of T1, whose first wall is a control, and T2."""
    while True:
        assessor = make_assessor(pool.task.track)
        if is_control(1, seed=f"{pool.seed} T1 {assessor.pk}"):
            return make_assignment(pool, assessor=assessor), make_assignment(
                pool, topic="T2", assessor=assessor
            )


def test_control_wall_is_due_after_100_judgments_of_another_topic(client: Client) -> None:
    first, second = make_two(make_walled_pool({"T1": 30, "T2": 120}))
    judge_walls(client, first, 1, 2)
    judge_walls(client, second, 1, 2, 3)  # 6 + 72 judgments after the wall
    assert repeats(first) == []
    judge_walls(client, second, 4)  # 6 + 96
    shown = repeats(first)
    assert sorted(shown) == sorted(f"D{number}" for number in range(1, 25))
    assert shown != sorted(shown)
    assert first.open_places() == list(range(31, 55))
    assert walls_of(first) == [[], list(range(25, 31))]
    assert repeats(second) == []
    judge_walls(client, second, 5)
    assert len(repeats(first)) == 24


def test_100_judgments_of_the_same_topic_are_not_enough(client: Client) -> None:
    first, _ = make_two(make_walled_pool({"T1": 200, "T2": 5}))
    judge_walls(client, first, *range(1, 10))
    assert repeats(first) == []


def test_no_control_without_walls(client: Client) -> None:
    first, second = make_two(make_walled_pool({"T1": 24, "T2": 120}))
    judge_walls(client, first, 1)
    JudgingPlan.objects.update(surface=Surface.SINGLE)
    judge_walls(client, second, 1, 2, 3, 4, 5)
    assert repeats(first) == []
