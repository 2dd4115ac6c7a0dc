"""The percentile interval: simulated beside the intervals that the report prints."""

import numpy as np

from evaluation.core.arrays import Floats
from evaluation.core.statistics.estimate import Interval, Reason


def percentile_interval(samples: Floats, *, level: float = 0.95) -> Interval:
    """The middle `level` of the samples that are defined."""
    known = samples[~np.isnan(samples)]
    if not known.size:
        return Interval.undefined(Reason.NO_REPLICATES, level)
    low, high = np.quantile(known, ((1 - level) / 2, (1 + level) / 2))
    return Interval(float(low), float(high), level)
