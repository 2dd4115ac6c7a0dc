"""Correlation of one pair of vectors: Kendall's tau-a and exact p, Spearman's rho, inference of Pearson's r.

Vectors hold finite floats, one per run; different shapes and NaN raise ValueError.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import atanh, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr

from trackside.arrays import Floats, paired
from trackside.statistics.correlation import kendall_tau_b_of_rows, pearson_of_rows
from trackside.statistics.estimate import Estimate, Interval, Reason
from trackside.statistics.ranks import TIE, mid_ranks


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of runs that two vectors order alike, order in opposite ways, or that at least one ties."""

    concordant: int
    discordant: int
    tied: int


def pair_counts(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> PairCounts:
    """Count concordant, discordant and tied pairs of two vectors of n values; the sum is n (n - 1) / 2."""
    left, right = paired(x, y)
    products = pair_signs(left, tie=tie) * pair_signs(right, tie=tie)
    return PairCounts(int((products > 0).sum()), int((products < 0).sum()), int((products == 0).sum()))


def pair_signs(values: ArrayLike, *, tie: float = TIE) -> NDArray[np.int8]:
    """Sign of value i minus value j for all pairs i < j along the last axis; 0 where tied.

    Shape (..., n) gives (..., n (n - 1) / 2), one byte per pair: use it for runs and topics, not for pools.
    """
    ranks = (2 * mid_ranks(values, tie=tie)).astype(np.int32)  # doubled mid-ranks are whole; half the memory
    left, right = np.triu_indices(ranks.shape[-1], k=1)
    first, second = ranks.take(left, axis=-1), ranks.take(right, axis=-1)
    return (first > second).view(np.int8) - (first < second).view(np.int8)


def kendall_tau_b(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> Estimate:
    """Kendall's tau-b, (C - D) / sqrt((n0 - n1)(n0 - n2)); n1 and n2 are the pairs tied in x and in y.

    Source: Kendall 1945. Undefined for fewer than two values and if either vector is constant.
    """
    left, right = paired(x, y)
    tau = kendall_tau_b_of_rows(left[None], right[None], tie=tie)[0]
    if np.isnan(tau):
        return Estimate.undefined(Reason.TOO_FEW if left.size < 2 else Reason.CONSTANT)
    return Estimate.of(tau)


def pearson(x: ArrayLike, y: ArrayLike) -> Estimate:
    """Pearson's product-moment correlation of the values, not of the ranks.

    Undefined for fewer than two values and if either vector is constant (all within 1e-9).
    """
    left, right = paired(x, y)
    r = pearson_of_rows(left[None], right[None])[0]
    if np.isnan(r):
        return Estimate.undefined(Reason.TOO_FEW if left.size < 2 else Reason.CONSTANT)
    return Estimate.of(r)


def kendall_tau_a(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> Estimate:
    """Kendall's tau-a, (C - D) / (n (n - 1) / 2); undefined for fewer than two values."""
    counts = pair_counts(x, y, tie=tie)
    pairs = counts.concordant + counts.discordant + counts.tied
    if not pairs:
        return Estimate.undefined(Reason.TOO_FEW)
    return Estimate.of((counts.concordant - counts.discordant) / pairs)


def spearman(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> Estimate:
    """Spearman's rho: Pearson's r of the mid-ranks; undefined if Pearson's r is."""
    left, right = paired(x, y)
    return pearson(mid_ranks(left, tie=tie), mid_ranks(right, tie=tie))


def pearson_interval(r: float, n: int, *, level: float = 0.95) -> Interval:
    """Fisher's z interval of Pearson's r over n independent values; undefined for fewer than four."""
    if n < 4:
        return Interval.undefined(Reason.TOO_FEW, level)
    if abs(r) == 1.0:
        return Interval(r, r, level)
    half = float(ndtri((1 + level) / 2)) / sqrt(n - 3)
    return Interval(tanh(atanh(r) - half), tanh(atanh(r) + half), level)


def pearson_p(r: float, n: int) -> Estimate:
    """Two-sided p of Pearson's r by Student's t with n - 2 degrees; undefined for fewer than three values."""
    if n < 3:
        return Estimate.undefined(Reason.TOO_FEW)
    if abs(r) == 1.0:
        return Estimate.of(0.0)
    return Estimate.of(float(2 * stdtr(n - 2, -abs(r) * sqrt((n - 2) / (1 - r * r)))))


def exact_kendall_p(x: ArrayLike, y: ArrayLike) -> Estimate:
    """Two-sided p of Kendall's tau from its exact distribution; undefined with ties and below two values.

    The number of concordant pairs of a random order is a sum of independent uniform integers 0 to k - 1.
    """
    counts = pair_counts(x, y)
    if counts.tied:
        return Estimate.undefined(Reason.TIES)
    n = np.asarray(x).size
    if n < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    less = min(counts.concordant, counts.discordant)
    return Estimate.of(min(1.0, 2 * float(_at_most(n)[less])))


@lru_cache(maxsize=64)
def _at_most(n: int) -> Floats:
    """Chance of at most 0, 1, ... discordant pairs, up to half of all pairs.

    Inserting the k-th run adds 0 to k - 1 pairs, each with the same chance, so that each step is a mean over
    k neighbours.
    """
    half = n * (n - 1) // 4 + 1
    chances = np.zeros(half)
    chances[0] = 1.0
    for k in range(2, n + 1):
        sums = np.cumsum(chances)
        sums[k:] -= sums[:-k].copy()
        chances = sums / k
    chances = np.cumsum(chances)
    chances.flags.writeable = False
    return chances
