"""Coefficients of many pairs of rankings, for resampling: one value per row of two (rows, runs) arrays.

Higher values are better; ties are those of `ranks.mid_ranks`. Rank correlations are NaN for fewer than two
runs, the other coefficients without runs, and each where its docstring says so.
"""

from collections.abc import Callable

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.statistics.correlation import kendall_tau_b_of_rows, pearson_of_rows
from evaluation.core.statistics.ranks import TIE, mid_ranks

BLOCK = 4_000_000
"""Comparisons of runs in memory at a time; bounds the memory at about 100 MB."""

PERSISTENCE = 0.9
"""Persistence of RBO: the first ten ranks have 86 % of the weight."""

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
    x, y = mid_ranks(-truth), mid_ranks(-estimate)
    n = x.shape[1]
    if n < 2:
        return np.full(len(x), np.nan)
    first, tied = _groups(y)
    right = _concordant_above(x, y)
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, 2 * n))))
    above = first - 1
    sums = harmonic[above + tied - 1] - harmonic[np.maximum(above - 1, 0)]
    # On average over the orders of a tie group, half of the pairs within it are right.
    within = (tied - (above == 0) - above * sums) / 2
    tau: Floats = 2 * ((right * sums + within) / tied).sum(axis=1) / (n - 1) - 1
    return np.where(_has_ties(x), np.nan, tau)


def tau_ap_b_of_rows(x: Floats, y: Floats) -> Floats:
    """tau_AP,b: symmetric agreement of two orders that may both have ties (Urbano and Marrero, ICTIR 2017).

    NaN where a row is constant.
    """
    left, right = mid_ranks(-x), mid_ranks(-y)
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = (_below_ties(left, right) + _below_ties(right, left)) / 2
    return np.where(_is_varied(left) & _is_varied(right), tau, np.nan)


def tau_gap_of_rows(truth: Floats, estimate: Floats) -> Floats:
    """tau_GAP: the cost of a swap is the difference of the two runs in truth (Gao and Oard, SIGIR 2015).

    Runs with equal estimates keep the order of the columns. The mean excludes a rank whose run is tied in
    truth with all runs above it. NaN if the truth is constant.
    """
    order = np.argsort(mid_ranks(-estimate), axis=1, kind="stable")
    ordered = np.take_along_axis(truth, order, axis=1)
    gains = np.tril(ordered[:, None, :] - ordered[:, :, None], k=-1)
    gains[np.abs(gains) < TIE] = 0.0
    gaps = np.abs(gains).sum(axis=2)
    right = np.maximum(gains, 0.0).sum(axis=2)
    counted = gaps > 0
    shares = np.divide(right, gaps, out=np.zeros_like(gaps), where=counted).sum(axis=1)
    places = counted.sum(axis=1)
    tau: Floats = np.divide(2 * shares, places, out=np.full(len(gaps), np.nan), where=places > 0) - 1
    return tau


def weighted_tau_of_rows(x: Floats, y: Floats) -> Floats:
    """Weighted tau with additive hyperbolic weights 1 / (r + 1), r = 0 for the best run (Vigna, WWW 2015).

    The mean of the taus with r by x (ties by y) and r by y (ties by x). NaN where a row is constant.
    """
    left, right = mid_ranks(-x), mid_ranks(-y)
    n = x.shape[1]
    one, two = np.triu_indices(n, k=1)
    signs = [np.sign(ranks[:, one] - ranks[:, two]) for ranks in (left, right)]
    taus = []
    for major, minor in ((left, right), (right, left)):
        places = np.argsort(np.argsort(major * (n + 1) + minor, axis=1, kind="stable"), axis=1)
        of_run = 1 / (places + 1)
        weights = of_run[:, one] + of_run[:, two]
        spread = np.sqrt((weights * (signs[0] != 0)).sum(axis=1) * (weights * (signs[1] != 0)).sum(axis=1))
        agreement = (weights * signs[0] * signs[1]).sum(axis=1)
        taus.append(np.divide(agreement, spread, out=np.full(len(x), np.nan), where=spread > 0))
    mean: Floats = (taus[0] + taus[1]) / 2
    return mean


def rbo_of_rows(x: Floats, y: Floats) -> Floats:
    """Extrapolated rank-biased overlap of rankings of the same runs; persistence 0.9.

    Source: Webber, Moffat and Zobel, TOIS 2010; averaged over the orders of tied runs (Corsi and Urbano,
    SIGIR 2024, variant a).
    """
    n = x.shape[1]
    if not n:
        return np.full(len(x), np.nan)
    left, right = mid_ranks(-x), mid_ranks(-y)
    has_ties = _has_ties(left) | _has_ties(right)
    overlap = np.empty(x.shape)
    overlap[has_ties] = _shared_with_ties(left[has_ties], right[has_ties])
    overlap[~has_ties] = _shared(left[~has_ties], right[~has_ties])
    depths = np.arange(1, n + 1)
    agreement = overlap / depths
    weights = PERSISTENCE**depths
    rbo: Floats = (1 - PERSISTENCE) / PERSISTENCE * (agreement @ weights) + agreement[:, -1] * PERSISTENCE**n
    return rbo


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


COEFFICIENTS: dict[str, Statistic] = {
    "tau": kendall_tau_b_of_rows,
    "rho": spearman_of_rows,
    "r": pearson_of_rows,
    "tau_AP,a": tau_ap_a_of_rows,
    "tau_AP,b": tau_ap_b_of_rows,
    "tau_GAP": tau_gap_of_rows,
    "weighted tau": weighted_tau_of_rows,
    "RBO": rbo_of_rows,
    "first run": top_overlap(1),
    "top 5": top_overlap(5),
    "largest drop": largest_drop_of_rows,
}


FEWEST_RUNS = {"RBO": 4, "top 5": 6, "largest drop": 4}
"""Least number of runs for which a coefficient is informative; two for the others. Of three runs, RBO is at
least 0.85 and no run drops more than two ranks."""

SMOOTH = frozenset({"r"})
"""Coefficients that change little with each topic, so that their jackknife is valid."""

BOUNDS = {"RBO": (0.0, 1.0)}
"""Bounds of the coefficients whose range is not -1 to 1."""


def _places(values: Floats) -> Ints:
    """Rank of each run; 0 is the best."""
    order = np.argsort(mid_ranks(-values), axis=1, kind="stable")
    return np.argsort(order, axis=1)


def _groups(ranks: Floats) -> tuple[Ints, Ints]:
    """First rank of each run's tie group, from 1, and the size of the group."""
    before = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
    tied = (ranks[:, None, :] == ranks[:, :, None]).sum(axis=2)
    return before + 1, tied


def _concordant_above(x: Floats, y: Floats) -> Ints:
    """Count, for each run, the runs that are better in both y and x."""
    count: Ints = ((y[:, None, :] < y[:, :, None]) & (x[:, None, :] < x[:, :, None])).sum(axis=2)
    return count


def _below_ties(x: Floats, y: Floats) -> Floats:
    first, _ = _groups(y)
    below = first > 1
    shares = np.divide(_concordant_above(x, y), first - 1, out=np.zeros(first.shape), where=below)
    mean: Floats = 2 * shares.sum(axis=1) / below.sum(axis=1) - 1
    return mean


def _is_varied(ranks: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.ptp(ranks, axis=1) > 0 if ranks.shape[1] else np.zeros(len(ranks), dtype=np.bool_)


def _has_ties(ranks: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray((np.diff(np.sort(ranks, axis=1), axis=1) == 0).any(axis=1))


def _shared(left: Floats, right: Floats) -> Floats:
    """Count the runs that are in both rankings at each depth, [row, depth]; the rankings have no ties."""
    rows, n = left.shape
    seen_at = np.maximum(left, right).astype(np.int64) - 1 + np.arange(rows)[:, None] * n
    new = np.bincount(seen_at.ravel(), minlength=rows * n).reshape(rows, n)
    counts: Floats = np.cumsum(new, axis=1).astype(np.float64)
    return counts


def _shared_with_ties(left: Floats, right: Floats) -> Floats:
    shared: Floats = np.einsum("bid,bid->bd", _contributions(left), _contributions(right))
    return shared


def _contributions(ranks: Floats) -> Floats:
    """Fraction of each run seen at each depth, [row, run, depth]; tied runs are spread over their ranks."""
    first, tied = _groups(ranks)
    depths = np.arange(1, ranks.shape[1] + 1)
    seen: Floats = np.clip((depths - first[:, :, None] + 1) / tied[:, :, None], 0.0, 1.0)
    return seen
