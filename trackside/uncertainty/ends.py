"""The ends of many intervals at once, and the conditions for an interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats
from trackside.statistics.estimate import Interval, IntervalMethod, Reason

LEVEL = 0.95

FEWEST_TOPICS = 10
"""Fewest topics of an interval over topics: with fewer, no method has a coverage of 93 %."""

FEWEST_TOPICS_FOR_SHARE = 50
"""Fewest topics for kappa, overlap and precision at a cut above the lowest, and for recall at the lowest."""

FEWEST_TOPICS_FOR_RECALL = 150
"""Fewest topics for recall at a cut above the lowest, accuracy on the best grade and the mean over grades.

In TREC DL 2020 one topic of 54 has most items of the best grade. With fewer than 150 topics, a sample without
such a topic has an interval that excludes the truth, and no sign of it in the data: at 75 topics intervals of
judges of DL 2020 cover 90 to 93 %, at 150 they cover 95 to 96 %.
"""

REASONS = {
    FEWEST_TOPICS: Reason.TOO_FEW_TOPICS,
    FEWEST_TOPICS_FOR_SHARE: Reason.TOO_FEW_TOPICS_FOR_SHARE,
    FEWEST_TOPICS_FOR_RECALL: Reason.TOO_FEW_TOPICS_FOR_RECALL,
}
"""Reason of a missing interval, by the number of topics that it needs."""


def t_quantile(freedom: Floats | float, level: float = LEVEL) -> Floats:
    """Student's t quantile of two-sided intervals, of any shape; the normal's for infinite freedom."""
    from scipy.special import stdtrit  # scipy is slow to load

    return np.asarray(stdtrit(freedom, (1 + level) / 2), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Ends:
    """Ends of intervals over new topics, one entry per row; NaN with a reason if there is no interval."""

    low: Floats
    high: Floats
    reasons: tuple[Reason | None, ...]
    methods: tuple[IntervalMethod, ...]

    @property
    def intervals(self) -> list[Interval]:
        """One `Interval` per row."""
        return [self.interval(row) for row in range(len(self.reasons))]

    def interval(self, row: int) -> Interval:
        """The interval of one row."""
        reason, method = self.reasons[row], self.methods[row]
        low, high = (None, None) if reason else (float(self.low[row]), float(self.high[row]))
        return Interval(low, high, LEVEL, reason, method)


def ends_of(
    low: Floats, high: Floats, failures: list[tuple[Flags, Reason]], *, methods: Sequence[IntervalMethod]
) -> Ends:
    """Build the ends, with NaN in the rows that a failure flags; a row's reason is its first failure."""
    reasons: list[Reason | None] = [None] * len(low)
    failed = np.zeros(len(low), dtype=np.bool_)
    for flags, reason in failures:
        for row in np.flatnonzero(flags & ~failed):
            reasons[row] = reason
        failed |= flags
    low, high = (np.where(failed, np.nan, end) for end in (low, high))
    return Ends(low, high, tuple(reasons), tuple(methods))
