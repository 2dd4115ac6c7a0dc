"""Coverage for rank correlations on given topics and with other teams: `team_interval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.statistics.correlation.rows import COEFFICIENTS, Statistic
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.uncertainty import TEAM_SCALES, team_interval
from tests.simulations.rows import Coverage, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints

NAMES = ("tau", "rho", "r", "tau_AP,a", "tau_AP,b", "tau_GAP", "weighted tau", "RBO")
TEAMS = (5, 6, 8, 10, 16)
NOISE = {"near people": 0.2, "lenient": 0.6, "noisy": 1.5, "unrelated": 20.0}
"""Standard deviation of a judge's error on a run's mean; that of people's means is 1."""

TEAM_SHARE = 0.5
"""Of both variances, what runs of a team have in common."""


def teams(tracks: int, seed: int) -> Iterator[Row]:
    """Teams of one to four runs; the truth is the coefficient expected of as many teams."""
    for setting, noise in NOISE.items():
        for count in TEAMS:
            random = np.random.default_rng(seed)
            drawn = [_draw(random, count, noise) for _ in range(tracks)]
            for name in NAMES:
                statistic = COEFFICIENTS[name]
                values = [float(statistic(x[None], y[None])[0]) for x, y, _ in drawn]
                truth, coverage = float(np.nanmean(values)), Coverage()
                for value, track in zip(values, drawn, strict=True):
                    if not np.isnan(value):
                        left_out = _without_each(statistic, *track)
                        scale = TEAM_SCALES.get(name, "arcsine")
                        coverage.add(team_interval(Estimate.of(value), left_out, scale=scale), truth)
                yield Row(name, f"{setting}, {count} teams", 0, tracks, {"truth": truth, **coverage.figures})


def _draw(random: np.random.Generator, teams: int, noise: float) -> tuple[Floats, Floats, Ints]:
    """Means of runs under people and a judge, and their teams."""
    team = np.repeat(np.arange(teams), random.integers(1, 5, teams))
    shared = random.normal(size=(2, teams))[:, team]
    strength, error = TEAM_SHARE**0.5 * shared + (1 - TEAM_SHARE) ** 0.5 * random.normal(size=(2, team.size))
    return strength, strength + noise * error, team


def _without_each(statistic: Statistic, x: Floats, y: Floats, team: Ints) -> Floats:
    kept = [team != each for each in np.unique(team)]
    return np.array([statistic(x[None, rows], y[None, rows])[0] for rows in kept])
