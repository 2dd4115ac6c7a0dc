"""Intervals of a share, such as the gold items that an assessor graded correctly."""

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.statistics.estimate import Interval, Reason


def wilson(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's score interval of successes / n without continuity correction; undefined for n = 0."""
    from scipy.special import ndtri

    if not n:
        return Interval.undefined(Reason.EMPTY, level)
    z = float(ndtri((1 + level) / 2))
    low, high = wilson_ends(np.array(successes / n), np.array(n), z)
    return Interval(max(0.0, float(low)), min(1.0, float(high)), level)


def wilson_ends(share: Floats, n: Ints, z: float) -> tuple[Floats, Floats]:
    """Ends of the score intervals of shares of n at the normal quantile z."""
    square = z**2 / n
    centre = (share + square / 2) / (1 + square)
    half_width = np.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return centre - half_width, centre + half_width


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """Clopper and Pearson's exact interval of successes / n; undefined for n = 0."""
    from scipy.special import betaincinv

    if not n:
        return Interval.undefined(Reason.EMPTY, level)
    tail = (1 - level) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return Interval(low, high, level)
