"""Student's t quantile, without scipy for whole degrees of freedom: loading scipy takes longer than scoring.

The probability between -t and t is a finite sum for whole degrees of freedom (Abramowitz and Stegun 26.7.3
and 26.7.4). It is concave in t above 0, so Newton's method climbs to the quantile from any lower start.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from evaluation.core.arrays import Floats

_MOST_FREEDOM = 2000  # scipy computes quantiles of more, or of fractional, degrees of freedom
_MOST_STEPS = 100
_HIGHEST_LEVEL = 1 - 1e-6  # scipy computes quantiles of this level and above


def t_quantile(freedom: Floats | float, level: float) -> Floats:
    """Student's t quantile for a two-sided interval at this level; the normal's for infinite freedom."""
    degrees = np.asarray(freedom, np.float64)
    different, places = np.unique(degrees, return_inverse=True)
    # Chosen for each value, so that it does not depend on the other values of the array.
    is_usual = np.isinf(different) | ((different == np.rint(different)) & (different <= _MOST_FREEDOM))
    is_usual &= (different > 0) & (0 < level < _HIGHEST_LEVEL)
    found = np.empty(len(different))
    found[is_usual] = [_quantile(each, level) for each in different[is_usual].tolist()]
    if not is_usual.all():
        found[~is_usual] = _by_scipy(different[~is_usual], level)
    return found[places].reshape(degrees.shape)


def _by_scipy(freedom: Floats, level: float) -> Floats:
    from scipy.special import stdtrit

    return np.asarray(stdtrit(freedom, (1 + level) / 2), dtype=np.float64)


@lru_cache
def _quantile(freedom: float, level: float) -> float:
    start = 0.0 if math.isinf(freedom) else _quantile(math.inf, level)
    for _ in range(_MOST_STEPS):
        if math.isinf(freedom):
            within, density = (
                math.erf(start / math.sqrt(2)),
                math.exp(-(start**2) / 2) / math.sqrt(2 * math.pi),
            )
        else:
            within, density = _within(start, int(freedom)), _density(start, freedom)
        step = (level - within) / (2 * density)
        start += step
        if abs(step) <= 1e-15 * start:
            break
    return start


def _within(t: float, freedom: int) -> float:
    """Probability of a value between -t and t."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    is_odd = freedom % 2
    term, total = (math.cos(angle) if is_odd else 1.0), 0.0
    for power in range(2 + is_odd, freedom + 1, 2):
        total += term
        term *= square * (power - 1) / power
    if is_odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def _density(t: float, freedom: float) -> float:
    scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(scale - (freedom + 1) / 2 * math.log1p(t**2 / freedom))
