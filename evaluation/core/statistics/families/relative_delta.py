"""Relative Delta: relative difference of the means of a family of runs and of the others under one qrels.

Source: Dai et al. 2023, applied to the means of runs as in the track paper of 2024.
"""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Flags, Floats
from evaluation.core.statistics.estimate import Estimate, Reason


def relative_delta(means: ArrayLike, in_family: ArrayLike) -> Estimate:
    """Relative Delta = 2 (mean_A - mean_B) / (mean_A + mean_B) 100 %, A the runs of the family, B the others.

    `means` and `in_family` have one entry per run. Undefined if either side has no run, and if both means are
    zero.
    """
    values, flags = _runs(means, in_family)
    if flags.all() or not flags.any():
        return Estimate.undefined(Reason.EMPTY_FAMILY)
    if not values.any():
        return Estimate.undefined(Reason.ALL_ZERO)
    return Estimate.of(deltas_of_flags(values, flags[None])[0])


def deltas_of_rows(means: Floats, in_family: Flags) -> Floats:
    """Relative Delta of each row of a (rows, runs) array for one family; NaN where both means are zero."""
    family, other = means[:, in_family].mean(axis=1), means[:, ~in_family].mean(axis=1)
    total = family + other
    delta: Floats = np.divide(200 * (family - other), total, out=np.full(len(means), np.nan), where=total > 0)
    return delta


def _runs(means: ArrayLike, in_family: ArrayLike) -> tuple[Floats, Flags]:
    values, flags = np.asarray(means, dtype=np.float64), np.asarray(in_family, dtype=np.bool_)
    if values.shape != flags.shape:
        raise ValueError(f"{values.size} means cannot be paired with {flags.size} families")
    if (values < 0).any():
        raise ValueError("Relative Delta is defined for means of at least 0")
    return values, flags


def deltas_of_flags(values: Floats, rows: Flags) -> Floats:
    """Relative Delta in per cent of each row of flags [family, run]; values are at least 0 and not all 0."""
    count = rows.sum(axis=1)
    inside = rows @ values
    family, other = inside / count, (values.sum() - inside) / (values.size - count)
    delta: Floats = 200 * (family - other) / (family + other)
    return delta
