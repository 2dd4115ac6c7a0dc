"""Coefficients of many pairs of rankings of the same runs: one value per row of two (rows, runs) arrays.

Values are finite, and higher ones are better; ties are those of `ranks.mid_ranks`. Rank correlations are NaN
for fewer than two runs, the other coefficients without runs, and each where its docstring says so.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Floats, Ints, ratio_or_nan, value_or_none
from trackside.statistics.ranks import TIE, mid_ranks

Statistic = Callable[[Floats, Floats], Floats]
Signs = NDArray[np.signedinteger[Any]]


def kendall_tau_b_of_rows(x: Floats, y: Floats, *, tie: float = TIE) -> Floats:
    """Kendall's tau-b; NaN where a row is constant."""
    agreement, untied = np.zeros(len(x)), np.zeros((2, len(x)))
    for _, one, other in _signs_by_lag(x, y, tie):
        agreement += (one * other).sum(axis=0, dtype=one.dtype)
        untied += [np.abs(signs).sum(axis=0, dtype=one.dtype) for signs in (one, other)]
    return ratio_or_nan(agreement, np.sqrt(untied[0] * untied[1]))


def kendall_tau_b(x: Floats, y: Floats) -> float | None:
    """Kendall's tau-b of two rows; None without runs and if one is constant."""
    return value_or_none(kendall_tau_b_of_rows(x[None], y[None])[0])


def _signs_by_lag(x: Floats, y: Floats, tie: float) -> Iterator[tuple[int, Signs, Signs]]:
    """Yield each lag with the signs of run i + lag minus run i, (runs - lag, rows): each pair once."""
    runs = x.shape[1]
    kind = np.min_scalar_type(-2 * runs)  # the smallest that holds differences of doubled ranks, and counts
    ranks = [np.ascontiguousarray((2 * mid_ranks(rows, tie=tie)).astype(kind).T) for rows in (x, y)]
    for lag in range(1, runs):
        one, other = (np.sign(rows[lag:] - rows[:-lag]) for rows in ranks)
        yield lag, one, other


def pearson_of_rows(x: Floats, y: Floats) -> Floats:
    """Pearson's r; NaN where a row is constant."""
    if not x.shape[1]:
        return np.full(len(x), np.nan)
    left, right = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    is_varied = (np.ptp(x, axis=1) >= TIE) & (np.ptp(y, axis=1) >= TIE)
    spread = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    return np.clip(ratio_or_nan((left * right).sum(axis=1), np.where(is_varied, spread, 0.0)), -1.0, 1.0)


def spearman_of_rows(x: Floats, y: Floats) -> Floats:
    """Spearman's rho: Pearson's r of the mid-ranks; NaN where a row is constant."""
    return pearson_of_rows(mid_ranks(x), mid_ranks(y))


def tau_ap_a_of_rows(truth: Floats, estimate: Floats) -> Floats:
    """tau_AP,a: accuracy of an estimated order, averaged over the permutations of its ties.

    Equals Yilmaz et al.'s tau_AP without ties (SIGIR 2008; ties: Urbano and Marrero, ICTIR 2017). NaN if the
    truth has ties: use tau_AP,b in this case.
    """
    rows, n = truth.shape
    if n < 2:
        return np.full(rows, np.nan)
    # For each run: those above it in the estimate, those tied with it, and those above it in both.
    above, tied, right = np.zeros((3, n, rows), dtype=np.min_scalar_type(-2 * n))
    has_ties = np.zeros(rows, dtype=np.bool_)
    for lag, one, other in _signs_by_lag(truth, estimate, TIE):
        is_equal = other == 0
        for part, sign in ((np.s_[:-lag], 1), (np.s_[lag:], -1)):
            is_above = other == sign
            above[part] += is_above
            tied[part] += is_equal
            right[part] += is_above & (one == sign)
        has_ties |= (one == 0).any(axis=0)
    above, tied = above.astype(np.int64), tied.astype(np.int64) + 1
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, 2 * n))))
    sums = harmonic[above + tied - 1] - harmonic[np.maximum(above - 1, 0)]
    # On average over the orders of a tie group, half of the pairs within it are right.
    within = (tied - (above == 0) - above * sums) / 2
    tau: Floats = 2 * ((right * sums + within) / tied).sum(axis=0) / (n - 1) - 1
    return np.where(has_ties, np.nan, tau)


def top_overlap(k: int) -> Statistic:
    """Return a statistic: the share of the first k runs that are the same; ties are in column order."""

    def of_rows(x: Floats, y: Floats) -> Floats:
        size = min(k, x.shape[1])
        if not size:
            return np.full(len(x), np.nan)
        tops = [_places(values) < size for values in (x, y)]
        share: Floats = (tops[0] & tops[1]).sum(axis=1) / size
        return share

    return of_rows


def largest_drop_of_rows(x: Floats, y: Floats) -> Floats:
    """Largest number of ranks that a run drops (Voorhees et al. 2022); ties are in column order."""
    if not x.shape[1]:
        return np.full(len(x), np.nan)
    drop: Floats = np.maximum((_places(y) - _places(x)).max(axis=1), 0).astype(np.float64)
    return drop


def rank_biased_overlap(first: Ints, second: Ints, sizes: tuple[int, int], *, p: float) -> float:
    """RBO_EXT of two rankings without ties, by the ranks of their shared items; NaN if one is empty.

    Ranks count from 1; ``sizes`` are the numbers of items of each. The overlap is extrapolated beyond the
    ends of the rankings (Webber, Moffat and Zobel, TOIS 2010, eq. 32).
    """
    short, long = sorted(sizes)
    if not short:
        return float("nan")
    depths = np.arange(1, long + 1)
    overlap = np.bincount(np.maximum(first, second), minlength=long + 1)[1:].cumsum()
    at_short, at_long = overlap[short - 1], overlap[-1]
    shares = overlap / depths + at_short * np.maximum(depths - short, 0) / (short * depths)
    observed = (1 - p) / p * (shares * p**depths).sum()
    return float(observed + ((at_long - at_short) / long + at_short / short) * p**long)


def _places(values: Floats) -> Ints:
    """Rank of each run; 0 is the best."""
    return np.argsort(np.argsort(mid_ranks(-values), axis=1, kind="stable"), axis=1)
