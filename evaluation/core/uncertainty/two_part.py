"""Intervals of means where many topics have a measure's least value, such as 0, or its largest."""

import numpy as np

from evaluation.core.arrays import Flags, Floats
from evaluation.core.uncertainty.moments import Moments
from evaluation.core.uncertainty.student import t_quantile

LEAST_AT_BOUND = 0.3
"""Least share of topics at the bound: Hall's interval of the mean covers 97 to 99 % above it."""


def two_part_ends(
    values: Floats, bounds: tuple[float, float], level: float
) -> tuple[Flags, tuple[Floats, Floats]]:
    """Rows of (rows, topics) values with many topics at a bound, and ends for each of these rows.

    The mean is the share of topics beyond the bound times their mean distance from it. The share has Wilson's
    interval, the distance Hall's; they are joined on the logarithm's scale (Zou and Donner 2008). A measure
    of only 0 and 1 has Wilson's interval. The bound with more topics counts.
    """
    known = (~np.isnan(values)).sum(axis=1)
    at_bound = np.array([(values == bound).sum(axis=1) for bound in bounds])
    is_upper = at_bound[1] > at_bound[0]
    is_many = at_bound.max(axis=0) >= np.maximum(LEAST_AT_BOUND * known, 1)
    is_many &= at_bound.max(axis=0) < known
    upper = is_upper[is_many]
    chosen = values[is_many]
    ends = np.empty((2, len(chosen)))
    if not upper.all():
        ends[:, ~upper] = np.add(bounds[0], _distances(chosen[~upper] - bounds[0], bounds, level))
    if upper.any():
        ends[::-1, upper] = np.subtract(bounds[1], _distances(bounds[1] - chosen[upper], bounds, level))
    return is_many, (ends[0], ends[1])


def _distances(distances: Floats, bounds: tuple[float, float], level: float) -> Floats:
    """Ends, (2, rows), of the mean distance from the bound."""
    beyond = Moments(np.where(distances > 0, distances, np.nan))
    n = (~np.isnan(distances)).sum(axis=1)
    share = beyond.n / n
    of_share = _wilson(share, n, float(t_quantile(np.inf, level)))
    of_mean = beyond.hall_ends(level)
    lowest, highest = np.maximum(of_mean[0], 0.0), np.minimum(of_mean[1], bounds[1] - bounds[0])
    with np.errstate(divide="ignore"):  # a lowest of 0 gives an end of 0
        below = np.hypot(np.log(share / of_share[0]), np.log(beyond.mean / lowest))
    above = np.hypot(np.log(of_share[1] / share), np.log(highest / beyond.mean))
    ends: Floats = share * beyond.mean * np.exp([-below, above])
    return ends


def _wilson(share: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    """Wilson's interval of a share of n; the share is neither 0 nor 1."""
    square = z**2 / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return centre - half, centre + half
