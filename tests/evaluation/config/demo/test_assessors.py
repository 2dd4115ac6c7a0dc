"""Simulated assessors."""

from collections import Counter
from math import sqrt

import pytest

from evaluation.config.demo.assessors import GIVEN, simulate_grades
from evaluation.config.demo.world import World, make_world


@pytest.fixture(scope="module")
def full_world() -> World:
    return make_world(1)


def all_pairs(world: World) -> list[tuple[str, str]]:
    task = world.suggestion
    return [(topic.id, document.id) for topic in task.topics for document in task.documents]


def test_simulate_grades_errs_as_often_as_stated(full_world: World) -> None:
    """Within four standard errors, for each true grade and each grade given."""
    task = full_world.suggestion
    grades = simulate_grades(task, all_pairs(full_world), 1)
    counts = Counter((task.truth(each.topic, each.docno), each.grade) for each in grades)
    for truth, shares in GIVEN.items():
        n = sum(counts[truth, grade] for grade in (0, 1, 2))
        for grade, share in enumerate(shares):
            assert counts[truth, grade] / n == pytest.approx(share, abs=4 * sqrt(share * (1 - share) / n))


def test_simulate_grades_has_a_quarter_of_the_topics_graded_twice(full_world: World) -> None:
    grades = simulate_grades(full_world.suggestion, all_pairs(full_world), 1)
    assessors = {topic.id: set[str]() for topic in full_world.suggestion.topics}
    for each in grades:
        assessors[each.topic].add(each.assessor)
    assert Counter(len(names) for names in assessors.values()) == {1: 30, 2: 10}


def test_simulate_grades_does_not_depend_on_the_other_pairs(world: World) -> None:
    pairs = all_pairs(world)
    alone = simulate_grades(world.suggestion, pairs[-1:], 1)
    assert alone == simulate_grades(world.suggestion, pairs, 1)[-len(alone) :]


def test_simulate_grades_differs_from_seed_to_seed(full_world: World) -> None:
    pairs = all_pairs(full_world)
    first, second = (simulate_grades(full_world.suggestion, pairs, seed) for seed in (1, 2))
    assert [each.grade for each in first] != [each.grade for each in second]


def test_simulate_grades_takes_a_plausible_time(world: World) -> None:
    seconds = [each.active_seconds for each in simulate_grades(world.suggestion, all_pairs(world), 1)]
    assert min(seconds) > 0.5
    assert max(seconds) < 120
