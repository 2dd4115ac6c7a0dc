"""Intervals of runs' means over the population of topics; coverage: docs/simulations/means.json."""

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.statistics.proportions import wilson_ends
from trackside.statistics.ranks import most_common_counts
from trackside.uncertainty.intervals import FEWEST_TOPICS, Ends, ends_of, t_quantile

FEWEST_DIFFERING = 3
"""Fewest topics whose value is not the most common one: with one or two the spread is unknown."""

FEWEST_TOPICS_OF_BOUNDS = 25
"""Fewest topics for an interval where every value is the measure's least or largest: ten topics have so few
possible intervals that nearly all hold the mean."""

LEAST_AT_BOUND = 0.3
"""Least share of topics at the bound: Hall's interval of the mean covers 97 to 99 % above it."""

_SYMMETRIC = 1e-6


def mean_intervals(values: Floats, *, bounds: tuple[float, float] | None = None) -> Ends:
    """Interval of the mean of each row of (rows, topics) values; NaN marks a topic without a value.

    Values of a measure are skewed and often zero; Student's interval then covers 77 to 92 % at ten topics.
    Hall's transformation removes the skewness of the t statistic and covers more. `bounds` are the measure's
    least and largest value: they cut the ends, and rows with many topics at one of them have the interval of
    `_two_part_ends`. A row has no interval with fewer than ten topics, or if fewer than three differ from the
    most common value, or with fewer than 25 if all are at the bounds. Source: Hall, JRSSB 54 (1992), 221-228.
    """
    moments = _Moments(values)
    low, high = moments.hall_ends()
    methods = [IntervalMethod.HALL] * len(values)
    is_discrete = np.zeros(len(values), dtype=np.bool_)
    if bounds is not None:
        is_many, ends = _two_part_ends(values, bounds)
        low[is_many], high[is_many] = ends
        low, high = np.maximum(low, bounds[0]), np.minimum(high, bounds[1])
        methods = [IntervalMethod.TWO_PART if many else IntervalMethod.HALL for many in is_many]
        is_at_bound = np.isnan(values) | (values == bounds[0]) | (values == bounds[1])
        is_discrete = (moments.n < FEWEST_TOPICS_OF_BOUNDS) & is_at_bound.all(axis=1)
    differing = moments.n - most_common_counts(values)
    failures = [
        (moments.n < FEWEST_TOPICS, Reason.TOO_FEW_TOPICS),
        (differing == 0, Reason.NO_VARIATION),
        (differing < FEWEST_DIFFERING, Reason.TOO_FEW_DIFFERING),
        (is_discrete, Reason.TOO_FEW_TOPICS_OF_BOUNDS),
    ]
    return ends_of(low, high, failures, methods=methods)


class _Moments:
    """Count, mean, standard error and skewness of each row, over the topics with a value."""

    def __init__(self, values: Floats) -> None:
        has_value = ~np.isnan(values)
        self.n: Ints = has_value.sum(axis=1)
        n = np.maximum(self.n, 1).astype(np.float64)
        self.mean: Floats = np.where(has_value, values, 0.0).sum(axis=1) / n
        deviations = np.where(has_value, values - self.mean[:, None], 0.0)
        squares, cubes = (deviations**2).sum(axis=1), (deviations**3).sum(axis=1)
        variance = squares / np.maximum(n - 1, 1)
        self.error: Floats = np.sqrt(variance / n)
        spread = np.maximum(n - 1, 1) * np.maximum(n - 2, 1) * variance**1.5
        skewness = np.divide(n * cubes, spread, out=np.zeros_like(n), where=spread > 0)
        self._step = skewness / np.sqrt(n)

    def hall_ends(self) -> tuple[Floats, Floats]:
        """Ends of Hall's interval of each mean."""
        q = t_quantile(np.maximum(self.n - 1.0, 1.0))
        low, high = (self.mean - self._without_skew(sign * q) * self.error for sign in (1, -1))
        return low, high

    def _without_skew(self, q: Floats) -> Floats:
        """Inverse of Hall's transformation: the quantile of the t statistic whose transform is q."""
        step = np.where(np.abs(self._step) < _SYMMETRIC, 1.0, self._step)
        unskewed = (np.cbrt(1 + step * (q - step / 6)) - 1) * 3 / step
        transformed: Floats = np.where(np.abs(self._step) < _SYMMETRIC, q, unskewed)
        return transformed


def _two_part_ends(values: Floats, bounds: tuple[float, float]) -> tuple[Flags, tuple[Floats, Floats]]:
    """Rows of (rows, topics) values with many topics at a bound, and ends for each of these rows.

    The mean is the share of topics beyond the bound times their mean distance from it. The share has Wilson's
    interval, the distance Hall's; they are joined on the logarithm's scale (Zou and Donner 2008). A measure
    of only 0 and 1 has Wilson's interval. The bound with more topics counts.
    """
    topic_counts = (~np.isnan(values)).sum(axis=1)
    at_bound = np.array([(values == bound).sum(axis=1) for bound in bounds])
    is_upper = at_bound[1] > at_bound[0]
    is_many = at_bound.max(axis=0) >= np.maximum(LEAST_AT_BOUND * topic_counts, 1)
    is_many &= at_bound.max(axis=0) < topic_counts
    upper = is_upper[is_many]
    rows = values[is_many]
    ends = np.empty((2, len(rows)))
    if not upper.all():
        ends[:, ~upper] = np.add(bounds[0], _distances(rows[~upper] - bounds[0], bounds))
    if upper.any():
        ends[::-1, upper] = np.subtract(bounds[1], _distances(bounds[1] - rows[upper], bounds))
    return is_many, (ends[0], ends[1])


def _distances(distances: Floats, bounds: tuple[float, float]) -> Floats:
    """Ends, (2, rows), of the mean distance from the bound."""
    moments = _Moments(np.where(distances > 0, distances, np.nan))
    n = (~np.isnan(distances)).sum(axis=1)
    share = moments.n / n
    of_share = wilson_ends(share, n, float(t_quantile(np.inf)))
    of_mean = moments.hall_ends()
    lowest, highest = np.maximum(of_mean[0], 0.0), np.minimum(of_mean[1], bounds[1] - bounds[0])
    with np.errstate(divide="ignore"):  # a lowest of 0 gives an end of 0
        below = np.hypot(np.log(share / of_share[0]), np.log(moments.mean / lowest))
    above = np.hypot(np.log(of_share[1] / share), np.log(highest / moments.mean))
    ends: Floats = share * moments.mean * np.exp([-below, above])
    return ends
