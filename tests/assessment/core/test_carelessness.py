"""Careless assessors are named at 300 items, honest ones are not."""

import numpy as np
import pytest

from assessment.core.carelessness import is_straight, is_too_fast, kappa_range, people_at_chance
from tests.simulations.careless import CARELESS, COMMON, RARE, SECONDS, honest, share_fast, share_named

TIMES, SEED = 40, 35
SHARES = pytest.mark.parametrize("shares", [COMMON, RARE], ids=["common", "rare"])


@SHARES
@pytest.mark.parametrize("kind", CARELESS)
def test_careless_assessor_beside_honest_ones_is_named(kind: str, shares: tuple[float, ...]) -> None:
    assert share_named(CARELESS[kind], honest(0.6), shares, times=TIMES, seed=SEED) >= 0.95


@SHARES
@pytest.mark.parametrize("kappa", [0.4, 0.9])
def test_honest_assessors_are_not_named(kappa: float, shares: tuple[float, ...]) -> None:
    assert share_named(honest(kappa), honest(kappa), shares, times=TIMES, seed=SEED) <= 0.05


def test_who_takes_below_a_second_is_named() -> None:
    assert share_fast(SECONDS["fast"], times=TIMES, seed=SEED) >= 0.95
    assert share_fast(SECONDS["careful"], times=TIMES, seed=SEED) <= 0.05


def test_kappa_range_is_that_of_items_resampled() -> None:
    """Expected: kappa by hand, 1 - .3 / .5; the error of 4,000 bootstrap samples of the 200 items."""
    matrix = np.array([[70, 30], [30, 70]])
    kappa, low, high = kappa_range(matrix, (0, 1))
    assert kappa == pytest.approx(0.4)
    dice = np.random.default_rng(SEED)
    drawn = dice.multinomial(200, (matrix / 200).ravel(), size=4_000).reshape(-1, 2, 2)
    observed = np.trace(drawn, axis1=1, axis2=2) / 200
    expected = (drawn.sum(axis=1) * drawn.sum(axis=2)).sum(axis=1) / 200**2
    error = ((observed - expected) / (1 - expected)).std()
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.05)


def test_two_people_at_chance_are_named_together() -> None:
    """Nobody can say who of them is careless."""
    chance = np.full((3, 3), 20)
    assert [people for people, _ in people_at_chance({(1, 2): chance}, (0, 1, 2))] == [(1, 2)]


def test_partner_of_a_careless_person_is_judged_by_the_others() -> None:
    chance, good = np.full((3, 3), 20), np.diag([60, 60, 60])
    found = people_at_chance({(1, 2): chance, (1, 3): chance, (2, 3): good}, (0, 1, 2))
    assert [people for people, _ in found] == [(1,)]


def test_few_items_name_nobody() -> None:
    assert people_at_chance({(1, 2): np.full((3, 3), 5)}, (0, 1, 2)) == []
    assert not is_straight({"T1": np.array([49, 0, 0])}, {"T1": np.array([10, 10, 10])})
    assert not is_too_fast(0.2, 49)


def test_one_grade_on_topics_where_others_give_it_too_is_no_fault() -> None:
    zeros = {"T1": np.array([300, 0, 0])}
    assert not is_straight(zeros, {"T1": np.array([299, 1, 0])})
    assert is_straight(zeros, {"T1": np.array([250, 50, 0])})
    assert is_straight(zeros, {})  # with nobody else to compare with
