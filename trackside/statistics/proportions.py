"""Intervals of a share, such as the gold items that an assessor graded correctly."""

from math import sqrt

from trackside.statistics.estimate import Interval, Reason


def wilson(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's score interval of successes / n without continuity correction; undefined for n = 0."""
    from scipy.special import ndtri

    if not n:
        return Interval.undefined(Reason.EMPTY, level)
    z = float(ndtri((1 + level) / 2))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(max(0.0, centre - half), min(1.0, centre + half), level)


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Interval:
    """Clopper and Pearson's exact interval of successes / n; undefined for n = 0."""
    from scipy.special import betaincinv

    if not n:
        return Interval.undefined(Reason.EMPTY, level)
    tail = (1 - level) / 2
    low = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return Interval(low, high, level)
