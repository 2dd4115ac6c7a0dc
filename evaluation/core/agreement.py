"""How far two judges of the same items give the same grades, on the declared scale.

The scale is the tuple of grades that a judge could have given, such as (0, 1, 2): a grade that nobody gave
still has its row and column. Kappa's weights are taken on the grades' values (Cohen 1960, 1968).
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Floats, Ints
from evaluation.core.errors import InputError
from evaluation.core.estimate import Estimate, Reason

Weights = Literal["linear", "quadratic"]


class GradeOffScale(InputError):
    """A grade that is not on the declared scale."""


def invalid_count(grades: ArrayLike, scale: tuple[int, ...]) -> int:
    """How many grades are not on the scale."""
    return int((~np.isin(np.asarray(grades, dtype=np.int64), scale)).sum())


def confusion_matrix(a: ArrayLike, b: ArrayLike, scale: tuple[int, ...]) -> Ints:
    """Ints of items by grade in a (rows) and in b (columns), both in the order of the scale.

    Raises GradeOffScale rather than drop an item: a silently dropped one can turn disagreement into kappa 1.
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
    """Cohen's kappa, plain or with linear or quadratic weights on the values of the scale.

    Undefined without items and when both sides gave one and the same grade throughout.
    """
    return kappa_of_matrix(confusion_matrix(a, b, scale), scale, weights)


def kappa_of_matrix(matrix: Ints, scale: tuple[int, ...], weights: Weights | None = None) -> Estimate:
    """Cohen's kappa of a confusion matrix: 1 - sum w o / sum w e."""
    total = matrix.sum()
    if not total:
        return Estimate.undefined(Reason.EMPTY)
    cost = disagreement(scale, weights)
    expected = np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / total
    by_chance = (cost * expected).sum()
    if by_chance == 0:
        return Estimate.undefined(Reason.ONE_GRADE)
    return Estimate.of(1 - (cost * matrix).sum() / by_chance)


def kappa_max(matrix: Ints) -> Estimate:
    """The largest plain kappa that these margins allow (Umesh et al. 1989); undefined as kappa is."""
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
    """Cost of each pair of grades: 1 for unlike grades, or the distance of their values, or its square."""
    values = np.asarray(scale, dtype=np.float64)
    distance = np.abs(values[:, None] - values[None, :])
    match weights:
        case None:
            return (distance > 0).astype(np.float64)
        case "linear":
            return distance
        case "quadratic":
            return distance**2
