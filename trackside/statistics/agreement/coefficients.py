"""Agreement of two judges on the grades of the same items, on the declared scale.

The scale is the tuple of possible grades, such as (0, 1, 2); a grade that was never given still has its row
and column. Kappa's weights use the grades' values (Cohen 1960, 1968).
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.statistics.estimate import Estimate, Reason

KappaWeights = Literal["linear", "quadratic"]


def invalid_count(grades: ArrayLike, scale: tuple[int, ...]) -> int:
    """Count the grades that are not on the scale."""
    return int((~np.isin(np.asarray(grades, dtype=np.int64), scale)).sum())


def confusion_matrix(a: ArrayLike, b: ArrayLike, scale: tuple[int, ...]) -> Ints:
    """Count items by grade in a (rows) and in b (columns), both in the order of the scale.

    Raises InputError instead of dropping an item, because this can turn disagreement into kappa 1.
    """
    left, right = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    if left.shape != right.shape:
        raise ValueError(f"{left.size} and {right.size} grades cannot be paired")
    for grades in (left, right):
        if invalid_count(grades, scale):
            stray = grades[~np.isin(grades, scale)]
            raise InputError(
                f"{stray.size} grades are not on the scale {scale}, the first is {stray[0]}: "
                "correct them, or declare the scale that was used"
            )
    order = np.argsort(scale)
    indices = [order[np.searchsorted(np.asarray(scale)[order], grades)] for grades in (left, right)]
    matrix = np.bincount(indices[0] * len(scale) + indices[1], minlength=len(scale) ** 2)
    return matrix.reshape(len(scale), len(scale)).astype(np.int64)


def confusions_by_topic(a: ArrayLike, b: ArrayLike, topics: Ints, scale: tuple[int, ...]) -> Ints:
    """One matrix of `confusion_matrix` for each topic, by its rank, on an ascending scale."""
    confusion_matrix(a, b, scale)  # refuses grades off the scale
    _, topic_of_row = np.unique(topics, return_inverse=True)
    matrices = np.zeros((int(topic_of_row.max(initial=-1)) + 1, len(scale), len(scale)), dtype=np.int64)
    np.add.at(matrices, (topic_of_row, np.searchsorted(scale, a), np.searchsorted(scale, b)), 1)
    return matrices


def cohen_kappa(
    a: ArrayLike, b: ArrayLike, scale: tuple[int, ...], weights: KappaWeights | None = None
) -> Estimate:
    """Cohen's kappa, plain or weighted by the values of the scale; undefined without items or variety."""
    return kappa_of_matrix(confusion_matrix(a, b, scale), scale, weights)


def kappa_of_matrix(matrix: Ints, scale: tuple[int, ...], weights: KappaWeights | None = None) -> Estimate:
    """Cohen's kappa of a confusion matrix, 1 - sum w o / sum w e; undefined as `cohen_kappa` is."""
    kappa = kappa_of_matrices(matrix[None], scale, weights)[0]
    if np.isnan(kappa):
        return Estimate.undefined(Reason.ONE_GRADE if matrix.any() else Reason.EMPTY)
    return Estimate.of(kappa)


def kappa_of_matrices(matrices: Ints, scale: tuple[int, ...], weights: KappaWeights | None = None) -> Floats:
    """Cohen's kappa of each of a stack of confusion matrices; NaN where it is undefined."""
    cost = disagreement(scale, weights)
    observed = (matrices * cost).sum(axis=(1, 2)) * matrices.sum(axis=(1, 2))
    by_chance = np.einsum("bi,ij,bj->b", matrices.sum(axis=2), cost, matrices.sum(axis=1))
    ratio = np.divide(observed, by_chance, out=np.full(len(matrices), np.nan), where=by_chance > 0)
    kappa: Floats = 1 - ratio
    return kappa


def observed_agreement(matrix: Ints) -> Estimate:
    """Share of items with the same grade on both sides; undefined without items."""
    total = matrix.sum()
    return Estimate.of(np.trace(matrix) / total) if total else Estimate.undefined(Reason.EMPTY)


def disagreement(scale: tuple[int, ...], weights: KappaWeights | None) -> Floats:
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
