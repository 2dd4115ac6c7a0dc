"""Correlation of values of the same runs: Kendall and Pearson.

Vectors hold finite floats, one per run; different shapes and NaN raise ValueError.
"""

import numpy as np

from evaluation.core.arrays import Floats, ratio_or_nan
from evaluation.core.statistics.correlation.overlaps import Overlaps
from evaluation.core.statistics.ranks import TIE, Places


def kendall_tau_b_of_rows(x: Floats, y: Floats, *, tie: float = TIE) -> Floats:
    """Tau-b of each row of two (replicates, runs) arrays; NaN where it is undefined."""
    left, right = Places.of(x, tie=tie), Places.of(y, tie=tie)
    overlaps = Overlaps.of(left, right)
    agreement = (overlaps.lower_in_both() - overlaps.lower_in_one()).sum(axis=1).astype(np.float64)
    untied = [each.before.sum(axis=1).astype(np.float64) for each in (left, right)]
    return ratio_or_nan(agreement, np.sqrt(untied[0] * untied[1]))


def pearson_of_rows(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each row of two (replicates, runs) arrays; NaN where a row is constant."""
    if not x.shape[1]:
        return np.full(len(x), np.nan)
    left, right = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    is_varied = (np.ptp(x, axis=1) >= TIE) & (np.ptp(y, axis=1) >= TIE)
    spread = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    return np.clip(ratio_or_nan((left * right).sum(axis=1), np.where(is_varied, spread, 0.0)), -1.0, 1.0)
