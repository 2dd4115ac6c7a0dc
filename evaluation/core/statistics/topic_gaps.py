"""Differences of one run on each topic from the median and from the best of all runs."""

from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Floats


@dataclass(frozen=True, slots=True)
class TopicGaps:
    """Values of one run, and the median and the best over all runs including this one; one entry per topic.

    NaN where the run, or every run, has no value.
    """

    own: Floats
    median: Floats
    best: Floats

    @property
    def from_median(self) -> Floats:
        """The run minus the median; above 0 where it is better than half of the runs."""
        return self.own - self.median

    @property
    def from_best(self) -> Floats:
        """The run minus the best; never above 0."""
        return self.own - self.best


def topic_gaps(values: Floats, place: int) -> TopicGaps:
    """Gaps of the run in one row of a (runs, topics) table."""
    median, best = np.full((2, values.shape[1]), np.nan)
    known = ~np.isnan(values).all(axis=0)
    median[known] = np.nanmedian(values[:, known], axis=0)
    best[known] = np.nanmax(values[:, known], axis=0)
    return TopicGaps(values[place], median, best)
