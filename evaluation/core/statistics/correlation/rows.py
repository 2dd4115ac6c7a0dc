"""Coefficients of many pairs of rankings, for resampling: one value per row of two (rows, runs) arrays.

Higher values are better; ties are those of `ranks.mid_ranks`. Rank correlations are NaN for fewer than two
runs, the other coefficients without runs, and each where its docstring says so.
"""

from collections.abc import Callable

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows, pearson_of_rows
from evaluation.core.statistics.correlation.overlaps import Overlaps
from evaluation.core.statistics.ranks import Places, mid_ranks

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


def tau_ap_b_of_rows(x: Floats, y: Floats) -> Floats:
    """tau_AP,b: symmetric agreement of two orders that may both have ties (Urbano and Marrero, ICTIR 2017).

    NaN where a row is constant.
    """
    left, right = Places.of(-x), Places.of(-y)
    better = Overlaps.of(left, right).lower_in_both()
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = (_below_ties(better, left) + _below_ties(better, right)) / 2
    return np.where(left.is_varied & right.is_varied, tau, np.nan)


def tau_gap_of_rows(truth: Floats, estimate: Floats) -> Floats:
    """tau_GAP: the cost of a swap is the difference of the two runs in truth (Gao and Oard, SIGIR 2015).

    Runs with equal estimates keep the order of the columns. The mean excludes a rank whose run is tied in
    truth with all runs above it. NaN if the truth is constant.
    """
    order = np.argsort(Places.of(-estimate).before, axis=1, kind="stable")
    ordered = np.take_along_axis(_without_near_ties(truth), order, axis=1)
    n = truth.shape[1]
    gains = ordered[:, None, :] - ordered[:, :, None]
    right = np.einsum("bij,ij->bi", np.maximum(gains, 0.0, out=gains), np.tri(n, k=-1))
    wrong = right - (np.cumsum(ordered, axis=1) - np.arange(1, n + 1) * ordered)
    counted = np.maximum.accumulate(ordered, axis=1) > np.minimum.accumulate(ordered, axis=1)
    shares = np.divide(right, right + wrong, out=np.zeros_like(right), where=counted).sum(axis=1)
    places = counted.sum(axis=1)
    tau: Floats = np.divide(2 * shares, places, out=np.full(len(right), np.nan), where=places > 0) - 1
    return tau


def _without_near_ties(values: Floats) -> Floats:
    """Replace each value by the least one that is tied with it."""
    places = Places.of(values)
    ordered = np.take_along_axis(values, places.order, axis=1)
    least: Floats = np.take_along_axis(ordered, places.before, axis=1)
    return least


def weighted_tau_of_rows(x: Floats, y: Floats) -> Floats:
    """Weighted tau with additive hyperbolic weights 1 / (r + 1), r = 0 for the best run (Vigna, WWW 2015).

    The mean of the taus with r by x (ties by y) and r by y (ties by x). NaN where a row is constant.
    """
    left, right = Places.of(-x), Places.of(-y)
    n = x.shape[1]
    agreements = Overlaps.of(left, right).agreements()
    untied = [n - each.tied for each in (left, right)]
    taus = []
    for major, minor in ((left, right), (right, left)):
        order = np.argsort(major.before * (n + 1) + minor.before, axis=1, kind="stable")
        # A pair's weight is the sum of its runs' weights, so sums over pairs are sums over runs.
        weights = 1 / (np.argsort(order, axis=1) + 1)
        spread = np.sqrt((weights * untied[0]).sum(axis=1) * (weights * untied[1]).sum(axis=1))
        agreement = (weights * agreements).sum(axis=1)
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
    left, right = Places.of(-x), Places.of(-y)
    has_ties = left.has_ties | right.has_ties
    overlap = np.empty(x.shape)
    overlap[has_ties] = np.einsum(
        "bid,bid->bd", *(_contributions(each.before[has_ties], each.tied[has_ties]) for each in (left, right))
    )
    overlap[~has_ties] = _shared(left.before[~has_ties], right.before[~has_ties])
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
    order = np.argsort(Places.of(-values).before, axis=1, kind="stable")
    return np.argsort(order, axis=1)


def _below_ties(better: Ints, ranked: Places) -> Floats:
    """Mean share of concordant runs among those above, over the runs that are not in the first group."""
    below = ranked.before > 0
    shares = np.divide(better, ranked.before, out=np.zeros(below.shape), where=below)
    mean: Floats = 2 * shares.sum(axis=1) / below.sum(axis=1) - 1
    return mean


def _shared(left: Ints, right: Ints) -> Floats:
    """Count the runs that are in both rankings at each depth, [row, depth], from places without ties."""
    rows, n = left.shape
    seen_at = np.maximum(left, right) + np.arange(rows)[:, None] * n
    new = np.bincount(seen_at.ravel(), minlength=rows * n).reshape(rows, n)
    counts: Floats = np.cumsum(new, axis=1).astype(np.float64)
    return counts


def _contributions(before: Ints, tied: Ints) -> Floats:
    """Fraction of each run seen at each depth, [row, run, depth]; tied runs are spread over their ranks."""
    depths = np.arange(1, before.shape[1] + 1)
    seen: Floats = np.clip((depths - before[:, :, None]) / tied[:, :, None], 0.0, 1.0)
    return seen
