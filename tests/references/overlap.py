"""Agreement on relevance, error in grades, and leniency.

Grades of the same items by two judges; "relevant" is a grade of at least the level.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import paired
from trackside.statistics.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class RelevanceAgreement:
    """Overlap of two judges' relevant items; `precision` and `recall` take the first judge as the truth.

    Positive agreement is 2a / (2a + b + c), negative 2d / (2d + b + c), with a both relevant, d neither.
    """

    overlap: Estimate
    precision: Estimate
    recall: Estimate
    positive_agreement: Estimate
    negative_agreement: Estimate


def relevance_agreement(a: ArrayLike, b: ArrayLike, *, level: int = 1) -> RelevanceAgreement:
    """Compare the relevant items of two judges; each value is undefined if its denominator is 0."""
    left, right = (grades >= level for grades in paired(a, b))
    both, only_a, only_b = int((left & right).sum()), int((left & ~right).sum()), int((right & ~left).sum())
    neither = left.size - both - only_a - only_b
    return RelevanceAgreement(
        _share(both, both + only_a + only_b),
        _share(both, both + only_b),
        _share(both, both + only_a),
        _share(2 * both, 2 * both + only_a + only_b),
        _share(2 * neither, 2 * neither + only_a + only_b),
    )


def joint_overlap(grades: ArrayLike, *, level: int = 1) -> Estimate:
    """Items relevant by all judges (rows), as a share of those relevant by any (Voorhees 1998).

    Undefined if no judge has a relevant item.
    """
    relevant = np.asarray(grades) >= level
    return _share(int(relevant.all(axis=0).sum()), int(relevant.any(axis=0).sum()))


def mean_absolute_error(a: ArrayLike, b: ArrayLike) -> Estimate:
    """Mean absolute difference of the grades; undefined without items."""
    left, right = paired(a, b)
    return Estimate.of(np.abs(right - left).mean()) if left.size else Estimate.undefined(Reason.EMPTY)


def leniency(a: ArrayLike, b: ArrayLike) -> Estimate:
    """Mean of b's grade minus a's; b is more lenient if it is above 0. Undefined without items."""
    left, right = paired(a, b)
    return Estimate.of((right - left).mean()) if left.size else Estimate.undefined(Reason.EMPTY)


def _share(part: int, whole: int) -> Estimate:
    return Estimate.of(part / whole) if whole else Estimate.undefined(Reason.NO_RELEVANT)
