"""Summaries of a measure over topics."""

import math

import numpy as np
from numpy.typing import NDArray

from trackside.measuring.family import Measure, Summary
from trackside.measuring.judged import JudgedRun


def summarise(
    values: NDArray[np.float64], measure: Measure, judged: JudgedRun, *, is_complete: bool
) -> float:
    """Combine the values of the topics; topics without a value are left out, NaN if none has one.

    Values are added sequentially in topic order, so the mean equals trec_eval's to the last bit.
    """
    defined = values[~np.isnan(values)]
    summary = measure.family.summary
    if not len(defined):
        return math.nan
    if summary is Summary.SUM_FROM_ONE and is_complete:
        # trec_eval -c sums relevant documents from the file and ignores the level there.
        return float(judged.judgments.relevant(1).sum())
    if summary in (Summary.SUM, Summary.SUM_FROM_ONE):
        return float(defined.cumsum()[-1])
    if summary is Summary.GEOMETRIC_MEAN:
        return math.exp(sum(math.log(value) for value in defined.tolist()) / len(defined))
    if summary is Summary.MEDIAN:
        return float(np.median(defined))
    if summary in (Summary.POOLED_MEAN, Summary.POOLED_MEDIAN):
        ranks = judged.ranks[judged.grades >= measure.relevant_from] + 1.0
        return float(ranks.mean() if summary is Summary.POOLED_MEAN else np.median(ranks))
    return float(defined.cumsum()[-1] / len(defined))
