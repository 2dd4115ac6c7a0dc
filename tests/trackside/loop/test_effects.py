"""Expected values and effects beside an enumeration of all grades."""

import itertools

import numpy as np
import pytest

from trackside.arrays import Floats, Ints
from trackside.loop.effects import Expectation
from trackside.loop.targets import Target
from trackside.pooling.universe import Universe

HEADS = {"one": {"t": ["a", "b", "c"]}, "two": {"t": ["d", "c", "a"]}}
DRAWS = 10_000


def enumerated(target: Target, chances: Floats) -> tuple[Floats, Floats]:
    """Expected values [run], and given each grade of each pair [pair, grade, run]; chances [pair, grade]."""
    count, grades = chances.shape
    total, given = np.zeros(len(target.universe.tags)), np.zeros((count, grades, len(target.universe.tags)))
    for drawn in itertools.product(range(grades), repeat=count):
        weight = np.prod([chances[pair, grade] for pair, grade in enumerate(drawn)])
        values = target.values(np.array(drawn))[0]
        total += weight * values
        for pair, grade in enumerate(drawn):
            given[pair, grade] += weight / chances[pair, grade] * values
    return total, given


def expectation(name: str, tails: Floats, highest: int, draws: int = DRAWS) -> tuple[Target, Expectation]:
    universe = Universe.of(HEADS, 3)
    target = Target.of(name, universe, highest)
    open_pairs: Ints = np.full(4, -1)
    rng = np.random.default_rng(0)
    return target, Expectation(target, open_pairs, open_pairs >= 0, np.tile(tails, (draws, 1, 1)), rng)


@pytest.mark.parametrize("name", ["P@3", "DCG@3", "RBP(p=0.8)", "RR"])
def test_without_a_divisor_expectation_and_effects_are_exact(name: str) -> None:
    tails = np.array([[0.6, 0.2], [0.3, 0.1], [0.5, 0.4], [0.9, 0.5]])
    target, expected = expectation(name, tails, 2, draws=2)
    chances = np.column_stack([1 - tails[:, 0], tails[:, 0] - tails[:, 1], tails[:, 1]])
    total, given = enumerated(target, chances)
    assert expected.values[0] == pytest.approx(total)
    for pair, grade in itertools.product(range(4), range(3)):
        phi = expected.phi(np.array([pair]), np.array([grade]))[0]
        assert phi == pytest.approx(given[pair, grade] - total)


@pytest.mark.parametrize("name", ["nDCG@3", "AP", "R@3"])
def test_with_a_divisor_they_are_those_of_the_enumeration(name: str) -> None:
    # Equal chances, so that the count of relevant pairs is binomial as the model takes it. Effects are of
    # first order: the other pairs' gains are taken as independent of the divisor, which four pairs feel most.
    tails = np.full((4, 1), 0.5)
    target, expected = expectation(name, tails, 1)
    total, given = enumerated(target, np.full((4, 2), 0.5))
    tolerance = 0.05 if name == "AP" else 0.03
    assert expected.values[0] == pytest.approx(total, abs=tolerance)
    for pair, grade in itertools.product(range(4), range(2)):
        phi = expected.phi(np.array([pair]), np.array([grade]))[0]
        assert phi == pytest.approx(given[pair, grade] - total, abs=tolerance)


def test_influence_is_the_variance_of_effects() -> None:
    # Of P@3 a pair's effect has the variance w^2 q (1 - q); a is in both runs, b in one of the two.
    tails = np.array([[0.6], [0.3], [0.5], [0.9]])
    _, expected = expectation("P@3", tails, 1, draws=2)
    influence = expected.influence(centred=0.0)
    assert influence[0] == pytest.approx(0.6 * 0.4 / 9)
    assert influence[1] == pytest.approx(0.3 * 0.7 / 9 / 2)


def test_known_pairs_have_no_influence_and_count_as_they_are() -> None:
    universe = Universe.of(HEADS, 3)
    target = Target.of("P@3", universe, 1)
    grades = np.array([1, -1, 0, -1])
    tails = np.full((2, 2, 1), 0.25)
    expected = Expectation(target, grades, grades >= 0, tails, np.random.default_rng(0))
    # one: a is relevant, b perhaps, c not; two: d perhaps, c not, a relevant.
    assert expected.values[0].tolist() == pytest.approx([1.25 / 3, 1.25 / 3])
    assert expected.open.tolist() == [1, 3]


def test_remainder_of_average_precision_is_the_variance_that_effects_leave() -> None:
    tails = np.full((4, 1), 0.5)
    target, expected = expectation("AP", tails, 1, draws=4000)
    values, lines = [], []
    for drawn in itertools.product(range(2), repeat=4):
        values.append(target.values(np.array(drawn))[0])
        lines.append(sum(expected.phi(np.arange(4), np.array(drawn))))
    left = np.array(values) - np.array(lines)
    assert expected.remainder(np.random.default_rng(1)) == pytest.approx(np.cov(left.T, bias=True), rel=0.15)
