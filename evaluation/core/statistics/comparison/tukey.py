"""Tukey's honestly significant differences of runs over the same topics: analytic and randomised.

The additive two-way model value ~ run + topic removes the effect of topics (Carterette, TOIS 2012). The
one-way test of many tools does not, and misses most differences.
"""

from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np

from evaluation.core.arrays import Floats
from evaluation.core.statistics.comparison.studentized_range import critical_value, upper_tail
from evaluation.core.statistics.estimate import Estimate, Interval, Reason

BLOCK = 2_000_000
"""Values permuted at a time; bounds the memory at about 32 MB."""


@dataclass(frozen=True, slots=True)
class PairwiseDifference:
    """Run `second` minus run `first` (column indices), its simultaneous interval and adjusted p."""

    first: int
    second: int
    difference: float
    interval: Interval
    p: Estimate


def tukey_hsd(values: Floats, *, level: float = 0.95) -> tuple[PairwiseDifference, ...]:
    """Tukey HSD of every pair of runs in a (topics, runs) table without gaps.

    q = |mean_i - mean_j| / sqrt(MSE / n) on (n - 1)(k - 1) degrees, MSE by the two-way analysis of variance.
    p and intervals are undefined if all residuals are 0. ValueError for fewer than two topics or runs.
    """
    n, k = _sizes(values)
    means = values.mean(axis=0)
    residual = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    degrees = (n - 1) * (k - 1)
    mse = float((residual**2).sum() / degrees)
    if mse <= np.finfo(np.float64).eps * float(np.square(values).mean()):
        return _without_spread(means, level)
    return _compared(means, sqrt(mse / n), degrees, level)


_NO_SPREAD = Estimate.undefined(Reason.NO_SPREAD)


def _compared(means: Floats, error: float, degrees: int, level: float) -> tuple[PairwiseDifference, ...]:
    pairs = list(combinations(range(means.size), 2))
    gaps = np.array([means[j] - means[i] for i, j in pairs])
    p_values = upper_tail(np.abs(gaps) / error, means.size, degrees)
    half = critical_value(1 - level, means.size, degrees) * error
    return tuple(
        PairwiseDifference(
            i, j, float(gap), Interval(float(gap) - half, float(gap) + half, level), Estimate.of(float(p))
        )
        for (i, j), gap, p in zip(pairs, gaps, p_values, strict=True)
    )


def _without_spread(means: Floats, level: float) -> tuple[PairwiseDifference, ...]:
    nothing = Interval.undefined(Reason.NO_SPREAD, level)
    return tuple(
        PairwiseDifference(i, j, float(means[j] - means[i]), nothing, _NO_SPREAD)
        for i, j in combinations(range(means.size), 2)
    )


def randomised_tukey(values: Floats, *, seed: int, draws: int = 10_000) -> Floats:
    """Adjusted p of each pair of runs as a (runs, runs) array, by permuting runs within each topic.

    A pair's p is the share of permutations whose range of means is at least the pair's difference (Carterette
    2012); the observed table counts as one permutation.
    """
    n, k = _sizes(values)
    rng = np.random.default_rng(seed)
    widest = np.empty(draws)
    step = max(1, BLOCK // (n * k))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        shuffled = rng.permuted(np.broadcast_to(values, (size, n, k)), axis=2)
        widest[start : start + size] = np.ptp(shuffled.mean(axis=1), axis=1)
    widest.sort()
    means = values.mean(axis=0)
    gaps = np.abs(means[:, None] - means[None, :])
    reached = draws - np.searchsorted(widest, gaps - 1e-12)
    p: Floats = (reached + 1) / (draws + 1)
    return p


def _sizes(values: Floats) -> tuple[int, int]:
    n, k = values.shape
    if n < 2 or k < 2:
        raise ValueError(f"Tukey's test needs two topics and two runs, not {n} and {k}")
    return n, k
