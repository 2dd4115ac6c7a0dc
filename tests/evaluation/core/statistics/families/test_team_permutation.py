from functools import partial

import numpy as np
import pytest

from evaluation.core.statistics.families.relative_delta import deltas_of_flags
from evaluation.core.statistics.families.team_permutation import team_arrangements, team_count
from evaluation.core.statistics.permutation import MOST_EXACT

MEANS = np.array([0.30, 0.28, 0.34, 0.12, 0.20, 0.16, 0.10])
FAMILY = np.array([True, True, True, False, False, False, False])
ALONE = [f"team{run}" for run in range(7)]


def test_runs_of_teams_of_their_own_are_permuted_one_by_one() -> None:
    # Of the 35 choices of three runs the family is the highest; only {12, 16, 10} is as far below:
    # its Delta is 2 (0.126667 - 0.28) / 0.406667 = -75.4 %, the family's +71.6 %.
    arrangements = team_arrangements(FAMILY, ALONE, seed=0)
    assert len(arrangements.rows) == 35
    assert arrangements.seed is None
    observed = float(deltas_of_flags(MEANS, FAMILY[None])[0])
    test = arrangements.test(observed, lambda rows: deltas_of_flags(MEANS, rows))
    assert test.p.value == pytest.approx(2 / 35)
    assert test.smallest == pytest.approx(1 / 35)


def test_whole_teams_change_sides_together() -> None:
    teams = ["a", "a", "b", "c", "c", "c", "d"]
    flags = np.array([True, True, True, False, False, False, False])
    rows = team_arrangements(flags, teams, seed=0).rows
    # Two of four teams: six ways, each with a team's runs on one side.
    assert len({tuple(row) for row in rows.tolist()}) == len(rows) == 6
    for row in rows:
        assert row[0] == row[1]
        assert row[3] == row[4] == row[5]


def test_runs_change_sides_within_a_team_that_has_both() -> None:
    teams = ["a", "a", "a", "b", "c"]
    flags = np.array([True, False, False, True, False])
    rows = team_arrangements(flags, teams, seed=0).rows
    # Three places for a's one run in the family, times two for the one of b and c.
    assert len(rows) == 6
    assert (rows[:, :3].sum(axis=1) == 1).all()
    assert (rows[:, 3:].sum(axis=1) == 1).all()


def test_too_many_arrangements_are_drawn_by_the_seed() -> None:
    flags = np.arange(30) < 15  # 155 million ways
    teams = [f"t{run}" for run in range(30)]
    one, again, other = (team_arrangements(flags, teams, seed=seed, draws=500) for seed in (3, 3, 4))
    assert len(one.rows) == 500 < MOST_EXACT
    assert one.seed == 3
    assert (one.rows.sum(axis=1) == 15).all()
    assert (one.rows == again.rows).all()
    assert (one.rows != other.rows).any()


def test_team_count_counts_a_team_on_each_side_that_it_has_runs_on() -> None:
    assert team_count(["a", "a", "b", "c"], np.array([True, False, True, False])) == (2, 2)


def test_random_families_of_whole_teams_are_seldom_significant() -> None:
    """Whole teams drawn at random as a family: p of 0.05 or less in about 5 of 100 trials, not in 40."""
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(400):
        team_of = np.repeat(np.arange(10), 3)
        means = 0.4 + 0.05 * rng.normal(size=10)[team_of] + 0.01 * rng.normal(size=30)
        flags = rng.permutation(np.arange(10) < 5)[team_of]
        arrangements = team_arrangements(flags, [f"t{team}" for team in team_of], seed=0)
        observed = float(deltas_of_flags(means, flags[None])[0])
        p = arrangements.test(observed, partial(deltas_of_flags, means)).p.value
        found += p is not None and p <= 0.05
    # 252 ways; at most 12 of them are as far out: 4.8 % expected, standard error 1.1 points.
    assert found / 400 <= 0.08
