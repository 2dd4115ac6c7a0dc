"""Top-weighted rank correlations: tau_AP, tau_GAP, weighted tau.

Vectors hold one value per run, higher is better; ties are those of `ranks.mid_ranks`.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tests.references.correlation import pair_signs
from trackside.arrays import Floats, Ints, paired
from trackside.statistics.estimate import Estimate, Reason
from trackside.statistics.ranks import TIE, mid_ranks

WeighBy = Literal["both", "x", "place"]


def tau_ap_a(truth: ArrayLike, estimate: ArrayLike) -> Estimate:
    """tau_AP,a: accuracy of an estimated order, averaged over the permutations of its ties.

    Equals Yilmaz et al.'s tau_AP without ties (SIGIR 2008; ties: Urbano and Marrero, ICTIR 2017). Undefined
    for fewer than two runs, and if the truth has ties: use tau_AP,b in this case.
    """
    x, y = (mid_ranks(-values) for values in paired(truth, estimate))
    n = x.size
    if n < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    if np.unique(x).size < n:
        return Estimate.undefined(Reason.TIES)
    first, tied = _groups(y)
    concordant = _concordant_above(x, first)
    total = 0.0
    for start, size, right in zip(first, tied, concordant, strict=True):
        places = np.arange(start - 1, start - 1 + size, dtype=np.float64)
        above = np.divide(1.0, places, out=np.zeros_like(places), where=places > 0)
        total += right * above.mean() + (np.arange(size) * above).sum() / (2 * size)
    return Estimate.of(2 * total / (n - 1) - 1)


def tau_ap_b(x: ArrayLike, y: ArrayLike) -> Estimate:
    """tau_AP,b: symmetric agreement of two orders that may both have ties (Urbano and Marrero, ICTIR 2017).

    Undefined for fewer than two runs and if either vector is constant.
    """
    left, right = (mid_ranks(-values) for values in paired(x, y))
    if left.size < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    if not (np.ptp(left) and np.ptp(right)):
        return Estimate.undefined(Reason.CONSTANT)
    return Estimate.of((_tau_ap_below_ties(left, right) + _tau_ap_below_ties(right, left)) / 2)


def tau_gap(truth: ArrayLike, estimate: ArrayLike) -> Estimate:
    """tau_GAP: the cost of a swap is the difference of the two runs in truth (Gao and Oard, SIGIR 2015).

    Runs with equal estimates are in input order. The mean excludes a rank whose run is tied in truth with all
    runs above it. Undefined for fewer than two runs and for a constant truth.
    """
    values, guesses = paired(truth, estimate)
    if values.size < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    ordered = values[np.argsort(mid_ranks(-guesses), kind="stable")]
    gains = np.tril(ordered[None, :] - ordered[:, None], k=-1)
    gains[np.abs(gains) < TIE] = 0.0
    gaps = np.abs(gains).sum(axis=1)
    if not gaps.any():
        return Estimate.undefined(Reason.CONSTANT)
    right = np.maximum(gains, 0).sum(axis=1)[gaps > 0] / gaps[gaps > 0]
    return Estimate.of(2 * right.mean() - 1)


def weighted_tau(
    x: ArrayLike, y: ArrayLike, *, weigh_by: WeighBy = "both", is_additive: bool = True
) -> Estimate:
    """Weighted tau with hyperbolic weights 1 / (r + 1), r = 0 for the best run (Vigna, WWW 2015).

    The weights of a pair are added, or multiplied. `weigh_by` "x": r is the rank by x (ties by y). "both":
    the mean of that tau and the one with r by y (ties by x). "place": r is the index in the vectors.
    Undefined for fewer than two runs and if either vector is constant. No p-value is known: bootstrap it.
    """
    left, right = (mid_ranks(-values) for values in paired(x, y))
    if left.size < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    if not (np.ptp(left) and np.ptp(right)):
        return Estimate.undefined(Reason.CONSTANT)
    orders = {
        "both": (np.lexsort((right, left)), np.lexsort((left, right))),
        "x": (np.lexsort((right, left)),),
        "place": (np.arange(left.size),),
    }[weigh_by]
    taus = [_weighted_tau(left, right, np.argsort(order), is_additive=is_additive) for order in orders]
    return Estimate.of(sum(taus) / len(taus))


def _groups(ranks: Floats) -> tuple[Floats, Floats]:
    """First rank of each run's tie group, from 1, and the size of the group."""
    before = (ranks[None, :] < ranks[:, None]).sum(axis=1)
    tied = (ranks[None, :] == ranks[:, None]).sum(axis=1)
    return before + 1, tied


def _concordant_above(x: Floats, first: Floats) -> Floats:
    """Count, for each run, the runs in better groups of the second order that are better in the first too."""
    above = first[None, :] < first[:, None]
    better: Floats = (above & (x[None, :] < x[:, None])).sum(axis=1)
    return better


def _tau_ap_below_ties(x: Floats, y: Floats) -> float:
    first, _ = _groups(y)
    below = first > 1
    shares = _concordant_above(x, first)[below] / (first[below] - 1)
    return float(2 * shares.mean() - 1)


def _weighted_tau(x: Floats, y: Floats, places: Ints, *, is_additive: bool) -> float:
    left, right = np.triu_indices(places.size, k=1)
    of_run = 1 / (places + 1)
    weights = of_run[left] + of_run[right] if is_additive else of_run[left] * of_run[right]
    x_signs, y_signs = pair_signs(x), pair_signs(y)
    agreement = (weights * x_signs * y_signs).sum()
    return float(agreement / np.sqrt((weights * (x_signs != 0)).sum() * (weights * (y_signs != 0)).sum()))
