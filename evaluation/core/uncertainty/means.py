"""Intervals of runs' means over topics, and of differences of two runs' means.

Estimand: the mean over the population of topics. Coverage: docs/simulations.md, "means".
"""

from __future__ import annotations

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.statistics.estimate import Estimand, Method, Reason
from evaluation.core.uncertainty.ends import FEWEST_TOPICS, LEVEL, Ends, ends_of, t_quantile

FEWEST_DIFFERING = 3
"""Fewest topics whose value is not the most common one: with one or two the spread is unknown."""

_SYMMETRIC = 1e-6


def mean_intervals(
    values: Floats, *, bounds: tuple[float, float] | None = None, level: float = LEVEL
) -> Ends:
    """Interval of the mean of each row of (rows, topics) values; NaN marks a topic without a value.

    Values of a measure are skewed and often zero; Student's interval then covers 77 to 92 % at ten topics.
    Hall's transformation removes the skewness of the t statistic and covers more. `bounds` clips the ends to
    the measure's least and largest value. A row has no interval with fewer than ten topics, or if fewer than
    three differ from the most common value. Source: Hall, JRSSB 54 (1992), 221-228.
    """
    moments = _Moments(values)
    q = t_quantile(np.maximum(moments.n - 1.0, 1.0), level)
    low = moments.mean - moments.without_skew(q) * moments.error
    high = moments.mean - moments.without_skew(-q) * moments.error
    if bounds is not None:
        low, high = np.maximum(low, bounds[0]), np.minimum(high, bounds[1])
    return _checked(low, high, values, moments, Method.HALL, level)


def difference_intervals(differences: Floats, *, level: float = LEVEL) -> Ends:
    """Student's interval of the mean of each row of (rows, topics) differences of two runs.

    It excludes zero exactly if the paired t test has p below 1 - level. Differences are nearly symmetric, so
    Hall's correction would only add noise. A row has no interval if `mean_intervals` has none.
    """
    moments = _Moments(differences)
    half = t_quantile(np.maximum(moments.n - 1.0, 1.0), level) * moments.error
    low, high = moments.mean - half, moments.mean + half
    return _checked(low, high, differences, moments, Method.STUDENT, level)


class _Moments:
    """Count, mean, standard error and skewness of each row, over the topics with a value."""

    def __init__(self, values: Floats) -> None:
        known = ~np.isnan(values)
        self.n: Ints = known.sum(axis=1)
        n = np.maximum(self.n, 1).astype(np.float64)
        self.mean: Floats = np.where(known, values, 0.0).sum(axis=1) / n
        deviations = np.where(known, values - self.mean[:, None], 0.0)
        squares, cubes = (deviations**2).sum(axis=1), (deviations**3).sum(axis=1)
        variance = squares / np.maximum(n - 1, 1)
        self.error: Floats = np.sqrt(variance / n)
        spread = np.maximum(n - 1, 1) * np.maximum(n - 2, 1) * variance**1.5
        skewness = np.divide(n * cubes, spread, out=np.zeros_like(n), where=spread > 0)
        self._step = skewness / np.sqrt(n)

    def without_skew(self, q: Floats) -> Floats:
        """Inverse of Hall's transformation: the quantile of the t statistic whose transform is q."""
        step = np.where(np.abs(self._step) < _SYMMETRIC, 1.0, self._step)
        found = (np.cbrt(1 + step * (q - step / 6)) - 1) * 3 / step
        transformed: Floats = np.where(np.abs(self._step) < _SYMMETRIC, q, found)
        return transformed


def _checked(
    low: Floats, high: Floats, values: Floats, moments: _Moments, method: Method, level: float
) -> Ends:
    differing = moments.n - _most_common_counts(values)
    return ends_of(
        low,
        high,
        [
            (moments.n < FEWEST_TOPICS, Reason.TOO_FEW_TOPICS),
            (differing == 0, Reason.NO_VARIATION),
            (differing < FEWEST_DIFFERING, Reason.TOO_FEW_DIFFERING),
        ],
        method=method,
        estimand=Estimand.NEW_TOPICS,
        level=level,
    )


def _most_common_counts(values: Floats) -> Ints:
    """Count of each row's most common value, without NaN."""
    ordered = np.sort(values, axis=1)
    places = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    is_new = np.ones(values.shape, dtype=np.bool_)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(is_new, places, 0), axis=1)
    counts: Ints = np.where(np.isnan(ordered), 0, places - first + 1).max(axis=1, initial=0)
    return counts
