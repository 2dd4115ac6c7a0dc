"""Intervals of rank correlations with other teams' runs on the same topics.

Coverage: docs/simulations.md, "teams".
"""

import numpy as np

from evaluation.core.arrays import Floats
from evaluation.core.statistics.estimate import Estimand, Estimate, Interval, IntervalMethod, Reason
from evaluation.core.uncertainty.ends import LEVEL
from evaluation.core.uncertainty.jackknife import jackknife_error
from evaluation.core.uncertainty.student import t_quantile

FEWEST_TEAMS = 5
_SAME = 1e-12


def team_interval(value: Estimate, without_team: Floats, *, level: float = LEVEL) -> Interval:
    """Interval of Kendall's tau over teams on the same topics, by the jackknife over teams.

    `without_team` holds tau with each team's runs left out. Half width: Student's t with one degree of
    freedom less than teams, times the jackknife's error; the ends are cut at -1 and 1. Undefined with fewer
    than five teams.
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
    low, high = max(value.value - half, -1.0), min(value.value + half, 1.0)
    return Interval(low, high, level, None, IntervalMethod.JACKKNIFE, Estimand.NEW_TEAMS)
