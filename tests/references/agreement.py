"""Kappa of one pair of judges: its interval for independent items, its ceiling, and kappa at a cut."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from trackside.arrays import Ints
from trackside.statistics.agreement.coefficients import (
    KappaWeights,
    cohen_kappa,
    disagreement,
    kappa_of_matrix,
)
from trackside.statistics.estimate import Estimate, Interval, Reason


def kappa_interval(
    matrix: Ints, scale: tuple[int, ...], weights: KappaWeights | None = None, *, level: float = 0.95
) -> Interval:
    """Asymptotic interval of kappa for independent items (Fleiss, Cohen and Everitt 1969).

    Items of one topic are not independent: an interval over topics is about five times as wide. Undefined if
    kappa is; the ends are not clipped to -1 and 1.
    """
    kappa = kappa_of_matrix(matrix, scale, weights)
    if kappa.reason is not None or kappa.value is None:
        return Interval(None, None, level, kappa.reason)
    cost = disagreement(scale, weights)
    similar = 1 - cost / cost.max()
    shares = matrix / matrix.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, by_chance = (similar * shares).sum(), rows @ similar @ columns
    margins = (similar @ columns)[:, None] + (rows @ similar)[None, :]
    spread = (shares * (similar * (1 - by_chance) - margins * (1 - observed)) ** 2).sum()
    spread -= (observed * by_chance - 2 * by_chance + observed) ** 2
    error = np.sqrt(max(spread, 0.0) / matrix.sum()) / (1 - by_chance) ** 2
    half = float(ndtri((1 + level) / 2) * error)
    return Interval(kappa.value - half, kappa.value + half, level)


def kappa_max(matrix: Ints) -> Estimate:
    """The largest unweighted kappa that these margins allow (Umesh et al. 1989); undefined if kappa is."""
    total = matrix.sum()
    if not total:
        return Estimate.undefined(Reason.EMPTY)
    rows, columns = matrix.sum(axis=1) / total, matrix.sum(axis=0) / total
    by_chance = (rows * columns).sum()
    if by_chance == 1:
        return Estimate.undefined(Reason.ONE_GRADE)
    return Estimate.of((np.minimum(rows, columns).sum() - by_chance) / (1 - by_chance))


def kappa_at_cut(a: ArrayLike, b: ArrayLike, cut: int) -> Estimate:
    """Kappa of "graded `cut` or more" against "less"."""
    return cohen_kappa(np.asarray(a) >= cut, np.asarray(b) >= cut, (0, 1))
