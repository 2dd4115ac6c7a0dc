"""Resamples of topics, and intervals of coefficients that compare two orders of the same runs.

Topics are resampled, not items, because grades of one topic depend on each other; an interval over items is
about five times too narrow.

Estimand: the coefficient expected on equally many other topics of this kind, with the same runs. It is not
the coefficient with infinitely many topics, which is higher and which no tested interval covers
(docs/simulations/orders.json). The estimate is unbiased for the first and too low for the second.
"""

from functools import lru_cache

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.statistics.estimate import Interval, IntervalMethod, Reason
from trackside.uncertainty.intervals import FEWEST_TOPICS, LEVEL, jackknife_error, t_quantile

MOST_UNDEFINED = 0.5
"""Largest share of resamples with an undefined coefficient for which there is an interval."""

FEWEST_TEAMS = 8
"""Fewest teams of an interval over teams."""
_SAME = 1e-12


def rank_interval(value: float, samples: Floats, topics: int) -> Interval:
    """The coefficient, from -1 to 1, plus and minus t standard deviations of its resamples.

    `samples` are the coefficient in resamples of the topics, the same ones for both sets of qrels. Their
    percentiles are too low, because a resample has the noise of the topics twice; only their spread is used,
    so that the coefficient is always inside its interval. Student's t has topics - 1 degrees of freedom. The
    ends are computed on the arcsine's scale, because a coefficient varies less near its bounds. There is no
    interval with fewer than ten topics, and if all resamples are equal.
    """
    defined = samples[~np.isnan(samples)]
    error = float(defined.std(ddof=1)) if defined.size > 1 else 0.0
    failure = low = high = None
    if topics < FEWEST_TOPICS:
        failure = Reason.TOO_FEW_TOPICS
    elif not samples.size or defined.size < (1 - MOST_UNDEFINED) * samples.size:
        failure = Reason.NO_REPLICATES
    elif error <= _SAME:
        failure = Reason.NO_VARIATION
    else:
        half_width = float(t_quantile(topics - 1.0)) * error
        # Half way from the coefficient to its resamples' mean.
        low, high = _on_arcsine(value, half_width, float(value + (defined.mean() - value) / 2))
    return Interval(low, high, LEVEL, failure, IntervalMethod.RESAMPLING)


def _on_arcsine(value: float, half_width: float, slope_at: float) -> tuple[float, float]:
    """Ends of `value` plus and minus `half` by the delta method, with the arcsine's slope at a point."""
    centre, slope_point = np.clip((value, slope_at), -1, 1).tolist()
    step = half_width / float(np.sqrt(1 - slope_point**2))
    angle = float(np.arcsin(centre))
    low, high = max(angle - step, -np.pi / 2), min(angle + step, np.pi / 2)
    return float(np.sin(low)), float(np.sin(high))


def team_interval(value: float, without_team: Floats) -> Interval:
    """Interval of Kendall's tau over teams on the same topics (docs/simulations/teams.json).

    `without_team` holds tau with each team's runs left out. Half width: Student's t with one degree of
    freedom less than teams, times the jackknife's error; the ends are cut at -1 and 1.
    """
    failure = low = high = None
    if without_team.size < FEWEST_TEAMS:
        failure = Reason.TOO_FEW_TEAMS
    elif np.isnan(without_team).any():
        failure = Reason.HANGS_ON_ONE_TEAM
    elif (error := jackknife_error(without_team)) <= _SAME:
        failure = Reason.NO_VARIATION
    else:
        half_width = float(t_quantile(without_team.size - 1.0)) * error
        low, high = max(value - half_width, -1.0), min(value + half_width, 1.0)
    return Interval(low, high, LEVEL, failure, IntervalMethod.JACKKNIFE)


REPLICATES = 2_000
"""Default number of resamples: a tail of 2.5 % then has a standard error of 0.35 percentage points."""


@lru_cache(maxsize=8)
def draw_counts(n: int, *, seed: int, replicates: int = REPLICATES) -> Ints:
    """Count the draws of each of n indices in samples of n with replacement; returns (replicates, n)."""
    indices = np.random.default_rng(seed).integers(0, n, size=(replicates, n))
    offsets = np.arange(replicates)[:, None] * n
    counts = np.bincount((indices + offsets).ravel(), minlength=replicates * n).reshape(replicates, n)
    counts.flags.writeable = False  # callers share it
    return counts


def sampled_means(values: Floats, counts: Ints) -> Floats:
    """Mean of each run over each sample of topics: (runs, topics) values give (replicates, runs)."""
    # numpy multiplies floats with BLAS; integers take ten times as long.
    means: Floats = counts.astype(np.float64) @ values.T / values.shape[1]
    return means
