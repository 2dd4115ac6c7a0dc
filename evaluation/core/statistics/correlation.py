"""Correlation of two vectors of values of the same runs: Kendall, Spearman, Pearson.

Vectors hold finite floats, one per run; different shapes and NaN raise ValueError.
"""

from dataclasses import dataclass
from math import atanh, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Floats, paired
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.ranks import TIE, mid_ranks, pair_signs


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


def kendall_tau_a(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> Estimate:
    """Kendall's tau-a, (C - D) / (n (n - 1) / 2); undefined for fewer than two values."""
    counts = pair_counts(x, y, tie=tie)
    pairs = counts.concordant + counts.discordant + counts.tied
    if not pairs:
        return Estimate.undefined(Reason.TOO_FEW)
    return Estimate.of((counts.concordant - counts.discordant) / pairs)


def kendall_tau_b(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> Estimate:
    """Kendall's tau-b, (C - D) / sqrt((n0 - n1)(n0 - n2)); n1 and n2 are the pairs tied in x and in y.

    Source: Kendall 1945. Undefined for fewer than two values and if either vector is constant.
    """
    left, right = paired(x, y)
    return _correlation(left, kendall_tau_b_of_rows(left[None], right[None], tie=tie))


def kendall_tau_b_of_rows(x: Floats, y: Floats, *, tie: float = TIE) -> Floats:
    """Tau-b of each row of two (replicates, runs) arrays; NaN where it is undefined."""
    left, right = pair_signs(x, tie=tie), pair_signs(y, tie=tie)
    agreement = np.einsum("bp,bp->b", left, right, dtype=np.float64)
    untied = np.count_nonzero(left, axis=1) * np.count_nonzero(right, axis=1).astype(np.float64)
    return _ratio(agreement, np.sqrt(untied))


def spearman(x: ArrayLike, y: ArrayLike, *, tie: float = TIE) -> Estimate:
    """Spearman's rho: Pearson's r of the mid-ranks; undefined if Pearson's r is."""
    left, right = paired(x, y)
    return pearson(mid_ranks(left, tie=tie), mid_ranks(right, tie=tie))


def pearson(x: ArrayLike, y: ArrayLike) -> Estimate:
    """Pearson's product-moment correlation of the values, not of the ranks.

    Undefined for fewer than two values and if either vector is constant (all within 1e-9).
    """
    left, right = paired(x, y)
    return _correlation(left, pearson_of_rows(left[None], right[None]))


def pearson_of_rows(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each row of two (replicates, runs) arrays; NaN where a row is constant."""
    if not x.shape[1]:
        return np.full(len(x), np.nan)
    left, right = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    is_varied = (np.ptp(x, axis=1) >= TIE) & (np.ptp(y, axis=1) >= TIE)
    spread = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    return np.clip(_ratio((left * right).sum(axis=1), np.where(is_varied, spread, 0.0)), -1.0, 1.0)


def pearson_interval(r: float, n: int, *, level: float = 0.95) -> Interval:
    """Fisher's z interval of Pearson's r over n independent values; undefined for fewer than four."""
    from scipy.special import ndtri

    if n < 4:
        return Interval.undefined(Reason.TOO_FEW, level)
    if abs(r) == 1.0:
        return Interval(r, r, level)
    half = float(ndtri((1 + level) / 2)) / sqrt(n - 3)
    return Interval(tanh(atanh(r) - half), tanh(atanh(r) + half), level)


def pearson_p(r: float, n: int) -> Estimate:
    """Two-sided p of Pearson's r by Student's t with n - 2 degrees; undefined for fewer than three values."""
    from scipy.special import stdtr

    if n < 3:
        return Estimate.undefined(Reason.TOO_FEW)
    if abs(r) == 1.0:
        return Estimate.of(0.0)
    return Estimate.of(float(2 * stdtr(n - 2, -abs(r) * sqrt((n - 2) / (1 - r * r)))))


def _ratio(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return ratio


def _correlation(values: Floats, rows: Floats) -> Estimate:
    if np.isnan(rows[0]):
        return Estimate.undefined(Reason.TOO_FEW if values.size < 2 else Reason.CONSTANT)
    return Estimate.of(rows[0])
