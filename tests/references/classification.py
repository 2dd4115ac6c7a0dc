"""Other summaries of a judge's raw scores against people's binary relevance."""

from math import inf

import numpy as np

from trackside.judging.mappings.classification import ROUNDING, Thresholds
from trackside.statistics.estimate import Estimate, Reason


def average_precision(curve: Thresholds) -> Estimate:
    """Area under the precision-recall curve in steps, sum (R_i - R_{i-1}) P_i; needs relevant items."""
    if not curve.relevant_count:
        return Estimate.undefined(Reason.NO_RELEVANT)
    return Estimate.of((np.diff(curve.recall, prepend=0.0) * curve.precision).sum())


def roc_area(curve: Thresholds) -> Estimate:
    """Area under the ROC curve: the probability that a relevant item scores higher; needs both classes."""
    if not (curve.relevant_count and curve.other_count):
        return Estimate.undefined(Reason.ONE_GRADE)
    rates = np.append(0.0, curve.right / curve.relevant_count)
    steps = np.diff(curve.wrong, prepend=0.0) / curve.other_count
    return Estimate.of((steps * (rates[1:] + rates[:-1]) / 2).sum())


def trapezoid_area(curve: Thresholds) -> Estimate:
    """Area under the precision-recall curve by trapezoids from (0, 1); biased upwards, only to compare."""
    if not curve.relevant_count:
        return Estimate.undefined(Reason.NO_RELEVANT)
    heights = np.append(1.0, curve.precision)
    return Estimate.of((np.diff(curve.recall, prepend=0.0) * (heights[1:] + heights[:-1]) / 2).sum())


def youden_threshold(curve: Thresholds) -> Estimate:
    """The highest threshold with the largest Youden's J (recall - false positive rate); needs both classes.

    Infinite if no threshold is better than predicting no item.
    """
    if not (curve.relevant_count and curve.other_count):
        return Estimate.undefined(Reason.ONE_GRADE)
    j = curve.recall - curve.wrong / curve.other_count
    if j.max() <= ROUNDING:
        return Estimate.of(inf)
    return Estimate.of(curve.scores[np.argmax(j >= j.max() - ROUNDING)])
