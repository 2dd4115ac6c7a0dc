"""A judge's raw score against people's binary relevance: precision, recall, ROC, and the best threshold.

`is_relevant` holds people's binary grades, `scores` the judge's raw scores. An item is predicted relevant at
a threshold t if its score is at least t. Tied scores are one step.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, paired
from trackside.statistics.estimate import Estimate, Reason

ROUNDING = 1e-12
"""F1 and Youden's J within this distance of the largest count as equal to it."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """True (`right`) and false (`wrong`) positives at each distinct score, from the highest."""

    scores: Floats
    right: Floats
    wrong: Floats
    relevant_count: int

    @property
    def precision(self) -> Floats:
        """Share of the predicted that are relevant, at each threshold."""
        share: Floats = self.right / (self.right + self.wrong)
        return share

    @property
    def recall(self) -> Floats:
        """Share of the relevant that are predicted, at each threshold; requires relevant items."""
        share: Floats = self.right / self.relevant_count
        return share


def thresholds(is_relevant: ArrayLike, scores: ArrayLike) -> Thresholds:
    """Sort the scores; the other functions take the result."""
    verdicts, values = paired(is_relevant, scores)
    order = np.argsort(-values, kind="stable")
    ordered, truth = values[order], verdicts[order]
    last = np.flatnonzero(np.append(np.diff(ordered) != 0, [True] * bool(values.size)))
    right = np.cumsum(truth)[last]
    wrong = last + 1 - right
    return Thresholds(ordered[last], right, wrong, int(truth.sum()))


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """The thresholds with the largest F1, ascending; precision and recall at the lowest of them."""

    f1: Estimate
    thresholds: tuple[float, ...]
    precision: Estimate
    recall: Estimate


def best_f1(curve: Thresholds) -> BestThreshold:
    """Find the largest F1 and its thresholds; undefined without relevant items."""
    if not curve.relevant_count:
        nothing = Estimate.undefined(Reason.NO_RELEVANT)
        return BestThreshold(nothing, (), nothing, nothing)
    f1 = 2 * curve.right / (curve.right + curve.wrong + curve.relevant_count)
    best = np.flatnonzero(f1 >= f1.max() - ROUNDING)
    lowest = best[-1]
    return BestThreshold(
        Estimate.of(f1.max()),
        tuple(curve.scores[best[::-1]].tolist()),
        Estimate.of(curve.precision[lowest]),
        Estimate.of(curve.recall[lowest]),
    )
