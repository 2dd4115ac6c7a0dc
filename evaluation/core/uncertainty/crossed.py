"""Intervals of statistics over other topics and other teams: both count as random samples.

Estimand: the statistic with very many topics and teams of this kind. Coverage: docs/simulations.md,
"crossed".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.statistics.estimate import Estimand, Estimate, Interval, IntervalMethod, Reason
from evaluation.core.uncertainty.ends import FEWEST_TOPICS, LEVEL
from evaluation.core.uncertainty.jackknife import ErrorScale, jackknife_error, on_scale
from evaluation.core.uncertainty.student import t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluation.core.arrays import Floats, Ints

FEWEST_TEAMS = 5
"""Fewest teams of a single stratum."""

FEWEST_TEAMS_OF_SIDE = 8
"""Fewest teams of each of several strata. With five teams per stratum, intervals cover 92 to 98 %."""

TEAM_SCALES: dict[str, ErrorScale] = {
    "tau": "plain",
    "tau_AP,a": "plain",
    "tau_AP,b": "plain",
    "r": "correlation",
    "tau_GAP": "correlation",
    "RBO": "share",
}
"""Scale of each coefficient's interval over teams; the arcsine's for others. Chosen by simulation."""

_SAME = 1e-12


def crossed_interval(
    value: Estimate,
    without_topic: Floats,
    without_team: Sequence[Floats],
    without_both: Sequence[Floats],
    run_counts: Sequence[Ints],
    *,
    level: float = LEVEL,
) -> Interval:
    """Interval of a smooth statistic of a (runs, topics) table in which runs belong to teams.

    `without_topic` holds the statistic with each topic left out, `without_team` with each team and
    `without_both` [team, topic] with each team and topic, one array per stratum: a single stratum, or one per
    family for a difference between families. `run_counts` are the runs of each team. The variance is that
    over topics plus that over teams minus the part of teams by topics, which is in both (Cameron, Gelbach and
    Miller, JBES 29, 2011), and at least that over topics. Degrees of freedom:
    Satterthwaite 1946, of the two variances. Undefined with fewer than ten topics, five teams, or eight teams
    in one of several strata.
    """
    failure = _failure(value, without_topic, without_team, without_both)
    if failure is not None or value.value is None:
        return _interval(None, None, level, failure)
    topics, *teams = [jackknife_error(each) ** 2 for each in (without_topic, *without_team)]
    total = topics + sum(teams)
    if total <= _SAME**2:
        return _interval(None, None, level, Reason.NO_VARIATION)
    common = [
        _common_variance(value.value, without_topic, *each)
        for each in zip(without_team, without_both, strict=True)
    ]
    # If teams do not differ, this is below 0 in half of the tracks, and each further bound widens intervals.
    variance = topics + max(sum(teams) - sum(common), 0.0)
    freedom = [without_topic.size - 1.0, *map(_team_freedom, run_counts)]
    degrees = total**2 / sum(part**2 / each for part, each in zip((topics, *teams), freedom, strict=True))
    half = float(t_quantile(degrees, level)) * variance**0.5
    return _interval(value.value - half, value.value + half, level, None)


def _interval(low: float | None, high: float | None, level: float, failure: Reason | None) -> Interval:
    return Interval(low, high, level, failure, IntervalMethod.CROSSED, Estimand.NEW_TOPICS_AND_TEAMS)


def _common_variance(
    value: float, without_topic: Floats, without_team: Floats, without_both: Floats
) -> float:
    """The variance by teams and topics together, computed like that of the residuals of a two-way table."""
    teams, topics = without_both.shape
    rest = without_both - without_team[:, None] - without_topic + value
    scale: float = (teams - 1) * (topics - 1) / (teams * topics)
    return float((rest**2).sum()) * scale


def _team_freedom(runs: Ints) -> float:
    """Degrees of freedom of the jackknife over teams, from their numbers of runs, for a mean over the runs.

    Those of its quadratic form if teams vary alike (Bell and McCaffrey, Survey Methodology 28, 2002): teams
    minus 1 if all teams have equally many runs, and fewer if a few large teams dominate.
    """
    share = runs / runs.sum()
    left_out = (share / (1 - share))[:, None] * (np.eye(runs.size) - share)
    left_out -= left_out.mean(axis=0)
    form = left_out.T @ left_out
    return float(np.trace(form) ** 2 / (form**2).sum())


def team_interval(
    value: Estimate, without_team: Floats, *, scale: ErrorScale = "arcsine", level: float = LEVEL
) -> Interval:
    """Interval of a rank correlation over teams on the same topics, by the jackknife over teams.

    Half width: Student's t with one degree of freedom less than teams, times the jackknife's error, on the
    scale of `TEAM_SCALES`. Coverage: docs/simulations.md, "teams". Undefined with fewer than five teams.
    """
    failure = None
    if value.value is None:
        failure = value.reason
    elif without_team.size < FEWEST_TEAMS:
        failure = Reason.TOO_FEW_TEAMS
    elif np.isnan(without_team).any():
        failure = Reason.HANGS_ON_ONE_TEAM
    elif jackknife_error(without_team) <= _SAME:
        failure = Reason.NO_VARIATION
    if failure is not None or value.value is None:
        return Interval(None, None, level, failure, IntervalMethod.JACKKNIFE, Estimand.NEW_TEAMS)
    half = float(t_quantile(without_team.size - 1.0, level)) * jackknife_error(without_team)
    ends = (float(end[0]) for end in on_scale(np.array([value.value]), np.array([half]), scale))
    low, high = (min(max(end, -1.0), 1.0) for end in ends)
    return Interval(low, high, level, None, IntervalMethod.JACKKNIFE, Estimand.NEW_TEAMS)


def _failure(
    value: Estimate, without_topic: Floats, without_team: Sequence[Floats], without_both: Sequence[Floats]
) -> Reason | None:
    if value.value is None:
        return value.reason
    if without_topic.size < FEWEST_TOPICS:
        return Reason.TOO_FEW_TOPICS
    if sum(each.size for each in without_team) < FEWEST_TEAMS:
        return Reason.TOO_FEW_TEAMS
    if len(without_team) > 1 and any(each.size < FEWEST_TEAMS_OF_SIDE for each in without_team):
        return Reason.TOO_FEW_TEAMS_OF_SIDE
    if any(np.isnan(each).any() for each in (without_topic, *without_team, *without_both)):
        return Reason.HANGS_ON_ONE_TOPIC
    return None
