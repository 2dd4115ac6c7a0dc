"""The world of a seed, and its simulated assessors."""

from collections import Counter
from math import sqrt

import pytest

from evaluation.running.demo.world import GIVEN, DemoTask, make_world, simulate_grade

Tasks = tuple[DemoTask, DemoTask]
Pair = tuple[str, str]


@pytest.fixture(scope="module")
def full_world() -> Tasks:
    return make_world(1)


@pytest.fixture(scope="module")
def pairs(full_world: Tasks) -> list[Pair]:
    suggestion, _ = full_world
    return [(topic.id, document.id) for topic in suggestion.topics for document in suggestion.documents]


def test_make_world_has_the_sizes_of_the_demo_and_an_id_for_each_item(full_world: Tasks) -> None:
    sizes = [(len(task.topics), len(task.documents)) for task in full_world]
    assert sizes == [(40, 600), (10, 165)]
    assert len({name for task in full_world for name in task.about}) == 40 + 600 + 10 + 165


def test_make_world_gives_every_topic_something_to_find(full_world: Tasks) -> None:
    for task, least in zip(full_world, (2, 1), strict=True):
        for topic in task.topics:
            truths = Counter(task.truth(topic.id, document.id) for document in task.documents)
            assert truths[2] >= least
            assert truths[0] > len(task.documents) / 2


@pytest.mark.parametrize("is_second", [False, True])
def test_simulate_grade_errs_as_often_as_stated(
    full_world: Tasks, pairs: list[Pair], is_second: bool
) -> None:
    """Within four standard errors, for each true grade and each grade given."""
    task, _ = full_world
    counts = Counter(
        (task.truth(*pair), simulate_grade(task, *pair, is_second=is_second, seed=1)[0]) for pair in pairs
    )
    for truth, shares in GIVEN.items():
        n = sum(counts[truth, grade] for grade in (0, 1, 2))
        for grade, share in enumerate(shares):
            assert counts[truth, grade] / n == pytest.approx(share, abs=4 * sqrt(share * (1 - share) / n))
