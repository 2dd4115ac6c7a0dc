"""Top-weighted rank correlations of the cases that are not ours: tau_AP,b and tau_GAP.

Vectors hold one value per run, higher is better; ties are those of `ranks.mid_ranks`.
"""

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, paired
from trackside.statistics.estimate import Estimate, Reason
from trackside.statistics.ranks import TIE, mid_ranks


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


def _tau_ap_below_ties(x: Floats, y: Floats) -> float:
    above = y[None, :] < y[:, None]
    counts = above.sum(axis=1)
    concordant = (above & (x[None, :] < x[:, None])).sum(axis=1)
    return float(2 * (concordant[counts > 0] / counts[counts > 0]).mean() - 1)
