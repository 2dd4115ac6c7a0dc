"""Intervals of runs' means over topics, and of differences of two runs' means.

Estimand: the mean over the population of topics. Coverage: docs/simulations.md, "means".
"""

from dataclasses import replace

import numpy as np

from evaluation.core.arrays import Flags, Floats, Ints
from evaluation.core.statistics.estimate import Estimand, IntervalMethod, Reason
from evaluation.core.uncertainty.ends import FEWEST_TOPICS, LEVEL, Ends, ends_of
from evaluation.core.uncertainty.moments import Moments
from evaluation.core.uncertainty.two_part import two_part_ends

FEWEST_DIFFERING = 3
"""Fewest topics whose value is not the most common one: with one or two the spread is unknown."""

FEWEST_TOPICS_OF_BOUNDS = 25
"""Fewest topics for an interval where every value is the measure's least or largest: ten topics have so few
possible intervals that nearly all hold the mean."""


def mean_intervals(
    values: Floats, *, bounds: tuple[float, float] | None = None, level: float = LEVEL
) -> Ends:
    """Interval of the mean of each row of (rows, topics) values; NaN marks a topic without a value.

    Values of a measure are skewed and often zero; Student's interval then covers 77 to 92 % at ten topics.
    Hall's transformation removes the skewness of the t statistic and covers more. `bounds` are the measure's
    least and largest value: they cut the ends, and rows with many topics at one of them have the interval of
    `two_part_ends`. A row has no interval with fewer than ten topics, or if fewer than three differ from the
    most common value, or with fewer than 25 if all are at the bounds. Source: Hall, JRSSB 54 (1992), 221-228.
    """
    moments = Moments(values)
    low, high = moments.hall_ends(level)
    methods = [IntervalMethod.HALL] * len(values)
    if bounds is not None:
        is_many, ends = two_part_ends(values, bounds, level)
        low[is_many], high[is_many] = ends
        low, high = np.maximum(low, bounds[0]), np.minimum(high, bounds[1])
        methods = [IntervalMethod.TWO_PART if many else IntervalMethod.HALL for many in is_many]
    is_discrete = np.zeros(len(values), dtype=np.bool_)
    if bounds is not None:
        is_at_bound = np.isnan(values) | (values == bounds[0]) | (values == bounds[1])
        is_discrete = (moments.n < FEWEST_TOPICS_OF_BOUNDS) & is_at_bound.all(axis=1)
    discrete = is_discrete, Reason.TOO_FEW_TOPICS_OF_BOUNDS
    checked = _checked(low, high, values, moments, IntervalMethod.HALL, level, discrete)
    return replace(checked, methods=tuple(methods))


def _checked(
    low: Floats,
    high: Floats,
    values: Floats,
    moments: Moments,
    method: IntervalMethod,
    level: float,
    *more: tuple[Flags, Reason],
) -> Ends:
    differing = moments.n - _most_common_counts(values)
    return ends_of(
        low,
        high,
        [
            (moments.n < FEWEST_TOPICS, Reason.TOO_FEW_TOPICS),
            (differing == 0, Reason.NO_VARIATION),
            (differing < FEWEST_DIFFERING, Reason.TOO_FEW_DIFFERING),
            *more,
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
