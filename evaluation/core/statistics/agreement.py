"""Agreement of two judges on the grades of the same items, on the declared scale.

The scale is the tuple of possible grades, such as (0, 1, 2); a grade that was never given still has its row
and column. Kappa's weights use the grades' values (Cohen 1960, 1968).
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Floats, Ints
from evaluation.core.errors import InputError
from evaluation.core.statistics.estimate import Estimate, Interval, Reason

Weights = Literal["linear", "quadratic"]


class GradeOffScale(InputError):
    """A grade that is not on the declared scale."""


def invalid_count(grades: ArrayLike, scale: tuple[int, ...]) -> int:
    """Count the grades that are not on the scale."""
    return int((~np.isin(np.asarray(grades, dtype=np.int64), scale)).sum())


def confusion_matrix(a: ArrayLike, b: ArrayLike, scale: tuple[int, ...]) -> Ints:
    """Count items by grade in a (rows) and in b (columns), both in the order of the scale.

    Raises GradeOffScale instead of dropping an item, because this can turn disagreement into kappa 1.
    """
    left, right = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    if left.shape != right.shape:
        raise ValueError(f"{left.size} and {right.size} grades cannot be paired")
    for grades in (left, right):
        if invalid_count(grades, scale):
            stray = grades[~np.isin(grades, scale)]
            raise GradeOffScale(
                f"{stray.size} grades are not on the scale {scale}, the first is {stray[0]}: "
                "correct them, or declare the scale that was used"
            )
    order = np.argsort(scale)
    places = [order[np.searchsorted(np.asarray(scale)[order], grades)] for grades in (left, right)]
    matrix = np.bincount(places[0] * len(scale) + places[1], minlength=len(scale) ** 2)
    return matrix.reshape(len(scale), len(scale)).astype(np.int64)


def cohen_kappa(
    a: ArrayLike, b: ArrayLike, scale: tuple[int, ...], weights: Weights | None = None
) -> Estimate:
    """Cohen's kappa, unweighted or with linear or quadratic weights on the values of the scale.

    Undefined without items and if both sides gave the same single grade to all items.
    """
    return kappa_of_matrix(confusion_matrix(a, b, scale), scale, weights)


def kappa_of_matrix(matrix: Ints, scale: tuple[int, ...], weights: Weights | None = None) -> Estimate:
    """Cohen's kappa of a confusion matrix, 1 - sum w o / sum w e; undefined as `cohen_kappa` is."""
    kappa = kappa_of_matrices(matrix[None], scale, weights)[0]
    if np.isnan(kappa):
        return Estimate.undefined(Reason.ONE_GRADE if matrix.any() else Reason.EMPTY)
    return Estimate.of(kappa)


def kappa_of_matrices(matrices: Ints, scale: tuple[int, ...], weights: Weights | None = None) -> Floats:
    """Cohen's kappa of each of a stack of confusion matrices; NaN where it is undefined."""
    cost = disagreement(scale, weights)
    observed = (matrices * cost).sum(axis=(1, 2)) * matrices.sum(axis=(1, 2))
    by_chance = np.einsum("bi,ij,bj->b", matrices.sum(axis=2), cost, matrices.sum(axis=1))
    ratio = np.divide(observed, by_chance, out=np.full(len(matrices), np.nan), where=by_chance > 0)
    kappa: Floats = 1 - ratio
    return kappa


def kappa_interval(
    matrix: Ints, scale: tuple[int, ...], weights: Weights | None = None, *, level: float = 0.95
) -> Interval:
    """Asymptotic interval of kappa for independent items (Fleiss, Cohen and Everitt 1969).

    Items of one topic are not independent: use the interval by `bootstrap` over topics, which is about five
    times as wide. Undefined if kappa is; the ends are not clipped to -1 and 1.
    """
    from scipy.special import ndtri

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


def observed_agreement(matrix: Ints) -> Estimate:
    """Share of items with the same grade on both sides; undefined without items."""
    total = matrix.sum()
    return Estimate.of(np.trace(matrix) / total) if total else Estimate.undefined(Reason.EMPTY)


def disagreement(scale: tuple[int, ...], weights: Weights | None) -> Floats:
    """Cost of each pair of grades: 1 for different grades, or the distance of their values, or its square."""
    values = np.asarray(scale, dtype=np.float64)
    distance = np.abs(values[:, None] - values[None, :])
    match weights:
        case None:
            return (distance > 0).astype(np.float64)
        case "linear":
            return distance
        case "quadratic":
            return distance**2
