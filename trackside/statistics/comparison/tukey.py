"""Tukey's honestly significant differences of runs over the same topics: analytic and randomised.

The additive two-way model value ~ run + topic removes the effect of topics (Carterette, TOIS 2012). The
one-way test of many tools does not, and misses most differences.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from trackside.arrays import Floats
from trackside.statistics.comparison.studentized_range import critical_value, upper_tail

BLOCK = 400_000
"""Values permuted at a time: they fit into a processor's cache."""


@dataclass(frozen=True, slots=True)
class TukeyTest:
    """Adjusted p of each pair of runs, (runs, runs), and half the width of all simultaneous intervals."""

    p: Floats
    half: float


def tukey_hsd(values: Floats, *, level: float = 0.95) -> TukeyTest | None:
    """Tukey HSD of every pair of runs in a (topics, runs) table without gaps.

    q = |mean_i - mean_j| / sqrt(MSE / n) on (n - 1)(k - 1) degrees, MSE by the two-way analysis of variance.
    None if all residuals are 0. ValueError for fewer than two topics or runs.
    """
    n, k = _sizes(values)
    means = values.mean(axis=0)
    residual = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    degrees = (n - 1) * (k - 1)
    mse = float((residual**2).sum() / degrees)
    if mse <= np.finfo(np.float64).eps * float(np.square(values).mean()):
        return None
    error = sqrt(mse / n)
    one, other = np.triu_indices(k, 1)
    p = np.ones((k, k))
    p[one, other] = p[other, one] = upper_tail(np.abs(means[one] - means[other]) / error, k, degrees)
    return TukeyTest(p, critical_value(1 - level, k, degrees) * error)


def randomised_tukey(values: Floats, *, seed: int, draws: int = 10_000) -> Floats:
    """Adjusted p of each pair of runs in a (topics, runs) table, by permuting runs within each topic.

    A pair's p is the share of permutations whose range of means is at least the pair's difference (Carterette
    2012); the observed table counts as one permutation. ValueError for fewer than two topics or runs.
    """
    n, k = _sizes(values)
    rng = np.random.default_rng(seed)
    widest = np.empty(draws)
    step = max(1, BLOCK // (n * k))
    for start in range(0, draws, step):
        block = slice(start, min(start + step, draws))
        permuted = rng.permuted(np.tile(values, (block.stop - start, 1, 1)), axis=2)
        widest[block] = np.ptp(permuted.mean(axis=1), axis=1)
    means = values.mean(axis=0)
    gaps = np.abs(means[:, None] - means[None, :])
    reached = draws - np.searchsorted(np.sort(widest), gaps - 1e-12)
    p: Floats = (reached + 1) / (draws + 1)
    return p


def _sizes(values: Floats) -> tuple[int, int]:
    n, k = values.shape
    if n < 2 or k < 2:
        raise ValueError(f"Tukey's test needs two topics and two runs, not {n} and {k}")
    return n, k
