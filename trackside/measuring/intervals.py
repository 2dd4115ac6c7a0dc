"""Confidence intervals of the means of an evaluation, over new topics of this kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trackside.measuring.family import Summary
from trackside.uncertainty.means import mean_intervals

if TYPE_CHECKING:
    from trackside.measuring.evaluation import Evaluation
    from trackside.statistics.estimate import Interval


def intervals_of_means(evaluation: Evaluation) -> dict[tuple[int, int, int], Interval]:
    """The 95 % interval of each mean by indices (run, qrels, measure); undefined ones carry a reason.

    Measures that are not means over topics have no entry.
    """
    found: dict[tuple[int, int, int], Interval] = {}
    for qrels in range(len(evaluation.qrels)):
        values = evaluation.values[:, qrels, evaluation.is_judged[qrels], :]
        for place, measure in enumerate(evaluation.measures):
            if measure.family.summary is Summary.MEAN:
                table = np.ascontiguousarray(values[:, :, place])
                intervals = mean_intervals(table, bounds=measure.bounds).intervals
                found |= {(run, qrels, place): each for run, each in enumerate(intervals)}
    return found
