"""Simulated assessors."""

from collections import Counter
from math import sqrt

import pytest

from evaluation.demo.assessors import GIVEN, SimulatedGrade, simulate_grade
from evaluation.demo.world import DemoTask, make_world

Pair = tuple[str, str]


@pytest.fixture(scope="module")
def task() -> DemoTask:
    return make_world(1).suggestion


@pytest.fixture(scope="module")
def pairs(task: DemoTask) -> list[Pair]:
    return [(topic.id, document.id) for topic in task.topics for document in task.documents]


def graded(
    task: DemoTask, pairs: list[Pair], *, is_second: bool = False, seed: int = 1
) -> list[SimulatedGrade]:
    return [simulate_grade(task, topic, docno, is_second=is_second, seed=seed) for topic, docno in pairs]


@pytest.mark.parametrize("is_second", [False, True])
def test_simulate_grade_errs_as_often_as_stated(task: DemoTask, pairs: list[Pair], is_second: bool) -> None:
    """Within four standard errors, for each true grade and each grade given."""
    grades = graded(task, pairs, is_second=is_second)
    counts = Counter((task.truth(*pair), given.grade) for pair, given in zip(pairs, grades, strict=True))
    for truth, shares in GIVEN.items():
        n = sum(counts[truth, grade] for grade in (0, 1, 2))
        for grade, share in enumerate(shares):
            assert counts[truth, grade] / n == pytest.approx(share, abs=4 * sqrt(share * (1 - share) / n))


def test_simulate_grade_depends_on_nothing_but_its_pair(task: DemoTask, pairs: list[Pair]) -> None:
    assert graded(task, pairs[::-1]) == graded(task, pairs)[::-1]


def test_simulate_grade_differs_between_assessors_and_seeds(task: DemoTask, pairs: list[Pair]) -> None:
    first, second, other = (
        [given.grade for given in grades]
        for grades in (graded(task, pairs), graded(task, pairs, is_second=True), graded(task, pairs, seed=2))
    )
    assert first != second
    assert first != other


def test_simulate_grade_takes_a_plausible_time(task: DemoTask, pairs: list[Pair]) -> None:
    seconds = [given.active_seconds for given in graded(task, pairs)]
    assert min(seconds) > 0.5
    assert max(seconds) < 120
