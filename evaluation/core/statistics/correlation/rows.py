"""Coefficients of many pairs of rankings, for resampling: one value per row of two (rows, runs) arrays.

Higher values are better; ties are those of `ranks.mid_ranks`. Rank correlations are NaN for fewer than two
runs, the other coefficients without runs, and each where its docstring says so.
"""

from collections.abc import Callable

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.statistics.correlation.coefficients import pearson_of_rows
from evaluation.core.statistics.correlation.overlaps import Overlaps
from evaluation.core.statistics.ranks import Places, mid_ranks

BLOCK = 4_000_000
"""Comparisons of runs in memory at a time; bounds the memory at about 100 MB."""


Statistic = Callable[[Floats, Floats], Floats]


def in_blocks(statistic: Statistic, x: Floats, y: Floats) -> Floats:
    """Compute the statistic of all rows in blocks."""
    size = max(1, BLOCK // max(x.shape[1] ** 2, 1))
    parts = [statistic(x[at : at + size], y[at : at + size]) for at in range(0, len(x), size)]
    return np.concatenate(parts) if parts else np.empty(0)


def spearman_of_rows(x: Floats, y: Floats) -> Floats:
    """Spearman's rho: Pearson's r of the mid-ranks; NaN where a row is constant."""
    return pearson_of_rows(mid_ranks(x), mid_ranks(y))


def tau_ap_a_of_rows(truth: Floats, estimate: Floats) -> Floats:
    """tau_AP,a: accuracy of an estimated order, averaged over the permutations of its ties.

    Equals Yilmaz et al.'s tau_AP without ties (SIGIR 2008; ties: Urbano and Marrero, ICTIR 2017). NaN if the
    truth has ties: use tau_AP,b in this case.
    """
    x, y = Places.of(-truth), Places.of(-estimate)
    n = truth.shape[1]
    if n < 2:
        return np.full(len(truth), np.nan)
    above, tied = y.before, y.tied
    right = Overlaps.of(x, y).lower_in_both()
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, 2 * n))))
    sums = harmonic[above + tied - 1] - harmonic[np.maximum(above - 1, 0)]
    # On average over the orders of a tie group, half of the pairs within it are right.
    within = (tied - (above == 0) - above * sums) / 2
    tau: Floats = 2 * ((right * sums + within) / tied).sum(axis=1) / (n - 1) - 1
    return np.where(x.has_ties, np.nan, tau)


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


def _places(values: Floats) -> Ints:
    """Rank of each run; 0 is the best."""
    order = np.argsort(Places.of(-values).before, axis=1, kind="stable")
    return np.argsort(order, axis=1)
