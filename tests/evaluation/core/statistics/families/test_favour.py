from __future__ import annotations

import numpy as np
import pytest

from evaluation.core.statistics.estimate import Reason
from evaluation.core.statistics.families.favour import Blind, favour, relative_excesses
from evaluation.core.statistics.families.relative_delta import relative_delta

RUNS, TOPICS, DRAWS = 8, 20, 60
TEAMS = [f"team {run}" for run in range(RUNS)]
IN_FAMILY = np.array([True, True, True, False, False, False, False, False])
RNG = np.random.default_rng(5)
PEOPLE = 0.3 + 0.4 * RNG.random((RUNS, TOPICS))
EXPECTED = PEOPLE + 0.1  # lenient, and blind to runs


def blind(expected: np.ndarray = EXPECTED) -> Blind:
    rng = np.random.default_rng(6)
    middle = expected.mean(axis=1) if expected.size else np.zeros(len(expected))
    means = middle + rng.normal(0, 0.01, (DRAWS, len(expected)))
    return Blind(expected, means, np.zeros(expected.T.shape))


def delta(values: np.ndarray) -> float:
    """Relative Delta in per cent, from its definition."""
    one, two = values[IN_FAMILY].mean(), values[~IN_FAMILY].mean()
    return float(200 * (one - two) / (one + two))


def test_lenient_judge_shows_a_difference_but_no_excess() -> None:
    found = favour(PEOPLE, EXPECTED, blind(), IN_FAMILY, TEAMS, seed=1)
    assert found.people.value == pytest.approx(delta(PEOPLE))
    assert found.judge.value == pytest.approx(delta(EXPECTED))
    assert found.difference.value == pytest.approx(delta(EXPECTED) - delta(PEOPLE))
    assert found.blind.value == pytest.approx(delta(EXPECTED) - delta(PEOPLE))
    assert found.excess.value.value == pytest.approx(0.0)
    assert found.teams == (3, 5)


def test_judge_that_adds_to_one_family_shows_an_excess() -> None:
    judge = EXPECTED + 0.2 * IN_FAMILY[:, None] + np.random.default_rng(7).normal(0, 0.02, PEOPLE.shape)
    found = favour(PEOPLE, judge, blind(), IN_FAMILY, TEAMS, seed=1)
    assert found.excess.value.value == pytest.approx(delta(judge) - delta(EXPECTED))
    assert found.excess.p_topics.value is not None
    assert found.excess.p_topics.value < 0.001
    # Of 56 families of three teams only this one has so large an excess.
    assert found.excess.by_teams.p.value == pytest.approx(1 / 56)
    assert found.crossed.reason is Reason.TOO_FEW_TEAMS_OF_SIDE
    interval, difference = found.difference_interval, delta(judge) - delta(PEOPLE)
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < difference < interval.high


def test_excess_with_other_teams_has_an_interval_from_eight_teams_on_each_side() -> None:
    rng = np.random.default_rng(8)
    in_family = np.repeat([True, False], 8)
    people = rng.uniform(0.3, 0.6, (16, 12))
    expected = people + 0.1
    judge = expected + 0.2 * in_family[:, None] + rng.normal(0, 0.02, people.shape)
    teams = [f"team{run}" for run in range(16)]
    found = favour(people, judge, blind(expected), in_family, teams, seed=1)
    excess = found.excess.value.value
    assert found.crossed.low is not None
    assert found.crossed.high is not None
    assert excess is not None
    assert 0 < found.crossed.low < excess < found.crossed.high
    fewer = favour(people[1:], judge[1:], blind(expected[1:]), in_family[1:], teams[1:], seed=1)
    assert fewer.crossed.reason is Reason.TOO_FEW_TEAMS_OF_SIDE


def test_range_of_blind_judges_is_the_middle_of_their_differences() -> None:
    found = favour(PEOPLE, EXPECTED, blind(), IN_FAMILY, TEAMS, seed=1)
    deltas = [relative_delta(means, IN_FAMILY).value for means in blind().means]
    low, high = np.quantile(np.array(deltas, dtype=float), (0.025, 0.975)) - delta(PEOPLE)
    assert found.blind_range.low == pytest.approx(low)
    assert found.blind_range.high == pytest.approx(high)


@pytest.mark.parametrize(
    ("family", "topics", "scale", "reason"),
    [
        (np.ones(RUNS, dtype=bool), TOPICS, 1.0, Reason.EMPTY_FAMILY),
        (np.zeros(RUNS, dtype=bool), TOPICS, 1.0, Reason.EMPTY_FAMILY),
        (IN_FAMILY, 0, 1.0, Reason.NO_SHARED_TOPIC),
        (IN_FAMILY, TOPICS, 0.0, Reason.ALL_ZERO),
    ],
)
def test_nothing_to_compare_is_undefined_with_its_reason(
    family: np.ndarray, topics: int, scale: float, reason: Reason
) -> None:
    people, expected = PEOPLE[:, :topics] * scale, EXPECTED[:, :topics] * scale
    found = favour(people, expected, blind(expected), family, TEAMS, seed=1)
    assert found.people.reason is found.difference.reason is found.blind.reason is reason
    assert found.excess.value.reason is found.excess.p.reason is reason
    for interval in (found.difference_interval, found.blind_range, found.crossed, found.excess.interval):
        assert interval.reason is reason
        assert interval.level == 0.95


def test_excess_of_means_needs_runs_on_both_sides() -> None:
    means, expected = np.array([[3.0, 1.0]]), np.array([[1.0, 1.0]])
    assert relative_excesses(means, expected, np.array([True, False])).tolist() == pytest.approx([100.0])
    assert np.isnan(relative_excesses(means, expected, np.array([True, True]))).all()
    assert np.isnan(relative_excesses(means, expected, np.array([False, False]))).all()
