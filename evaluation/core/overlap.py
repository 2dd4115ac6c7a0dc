"""Agreement on what is relevant, error in grades, and leniency.

Grades of the same items by two judges; "relevant" is a grade of at least the level.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import paired
from evaluation.core.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class RelevanceAgreement:
    """How two judges' relevant items meet; `precision` and `recall` take the first judge as the truth.

    Positive agreement is 2a / (2a + b + c), negative 2d / (2d + b + c), with a both relevant, d neither.
    """

    overlap: Estimate
    precision: Estimate
    recall: Estimate
    positive_agreement: Estimate
    negative_agreement: Estimate


def relevance_agreement(a: ArrayLike, b: ArrayLike, *, level: int = 1) -> RelevanceAgreement:
    """Compare what two judges call relevant; each value is undefined when its denominator is empty."""
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
    """Items that all judges (rows) call relevant, as a share of those that any does (Voorhees 1998).

    Undefined when no judge calls anything relevant.
    """
    relevant = np.asarray(grades) >= level
    return _share(int(relevant.all(axis=0).sum()), int(relevant.any(axis=0).sum()))


def mean_absolute_error(a: ArrayLike, b: ArrayLike) -> Estimate:
    """Mean distance of the grades; undefined without items."""
    left, right = paired(a, b)
    return Estimate.of(np.abs(right - left).mean()) if left.size else Estimate.undefined(Reason.EMPTY)


def leniency(a: ArrayLike, b: ArrayLike) -> Estimate:
    """Mean of b's grade less a's: above zero b is the more lenient; undefined without items."""
    left, right = paired(a, b)
    return Estimate.of((right - left).mean()) if left.size else Estimate.undefined(Reason.EMPTY)


def _share(part: int, whole: int) -> Estimate:
    return Estimate.of(part / whole) if whole else Estimate.undefined(Reason.NO_RELEVANT)
