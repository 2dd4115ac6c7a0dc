"""Size of the tests on the order of the runs: of tau against chance, and of differences between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from evaluation.core.statistics.correlation.significance import kendall_test

from evaluation.core.statistics.comparison.decisions import paired_t_tests, tukey_tests
from tests.simulations.rows import SIZE, Row
from tests.simulations.teams import TEAM_SHARE
from tests.simulations.tracks import JUDGES, World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints

ALPHA = 0.05
TEAMS = (5, 8, 16, 37)
OF_RUNS, DECIDING = "p of tau", "deciding p of tau"
FAMILY_WISE = {"paired t, Holm": "any pair, paired t and Holm", "Tukey": "any pair, randomised Tukey HSD"}
TOPICS = (10, 25, 50)
RUNS = (8, 16)


def orders(tracks: int, seed: int) -> Iterator[Row]:
    """The p of tau if a judge's order has nothing to do with people's.

    Each team has one run, or one to four that share half of the variance of their means. The test of the runs
    takes them as independent, so that a report prints its p only where each team has one run.
    """
    for setting, most in (("one run a team", 1), ("one to four runs a team", 4)):
        for teams in TEAMS:
            random = np.random.default_rng(seed)
            found = np.array([_ps(random, teams, most) for _ in range(tracks)])
            for name, p in zip((OF_RUNS, DECIDING), found.T, strict=True):
                described = f"{setting}, {teams} teams"
                is_printed = most == 1 or name == DECIDING
                yield Row(name, described, 0, tracks, {SIZE: float((p <= ALPHA).mean())}, None, is_printed)


def _ps(random: np.random.Generator, teams: int, most: int) -> tuple[float, float]:
    """The p of all runs, and the larger of it and that of each team's best run by people."""
    team = np.repeat(np.arange(teams), random.integers(1, most + 1, teams))
    people, judge = (_means(random, team) for _ in range(2))
    best = np.array(
        [rows[people[rows].argmax()] for each in range(teams) for rows in (np.flatnonzero(team == each),)]
    )
    found = [kendall_test(people[rows], judge[rows], seed=1).p.value for rows in (slice(None), best)]
    of_runs, of_teams = (1.0 if p is None else p for p in found)
    return of_runs, max(of_runs, of_teams)


def _means(random: np.random.Generator, team: Ints) -> Floats:
    shared, own = random.normal(size=team.max() + 1)[team], random.normal(size=team.size)
    means: Floats = TEAM_SHARE**0.5 * shared + (1 - TEAM_SHARE) ** 0.5 * own
    return means


def decisions(tracks: int, seed: int) -> Iterator[Row]:
    """How often any pair of runs is called different if all runs are equally good."""
    for runs in RUNS:
        for topics in TOPICS:
            random = np.random.default_rng(seed)
            world = World(np.zeros(runs), np.zeros(runs), JUDGES["near people"])
            values = world.tracks(random, tracks, topics)[0]
            found = [
                (
                    paired_t_tests(each).is_significant(ALPHA).any(),
                    tukey_tests([each], seed=at)[0].is_significant(ALPHA).any(),
                )
                for at, each in enumerate(values)
            ]
            for name, is_found in zip(FAMILY_WISE.values(), np.array(found).T, strict=True):
                yield Row(name, "equal runs", topics, tracks, {SIZE: float(is_found.mean())}, runs)
