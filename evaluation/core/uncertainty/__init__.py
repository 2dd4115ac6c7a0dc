"""Intervals of a report by statistic, chosen by simulation (docs/simulations.md).

| statistic | function |
|---|---|
| mean of a run over topics | `mean_intervals` |
| difference of two runs' means | `difference_intervals` |
| coefficient of summed confusion matrices, Relative Delta, area under a curve | `jackknife_interval` |
| difference of two of these over the same topics | `jackknife_difference` |
| correlation of two orders of runs | `rank_interval` |
| difference of two judges' correlations with people | `rank_difference` |
| largest correlation that the number of topics allows | `noise_ceiling` |
| statistic with other topics and other teams | `crossed_interval` |

Fewer than `FEWEST_TOPICS` topics give no interval over topics. A `Reason` explains each missing interval.
"""

from evaluation.core.uncertainty.crossed import FEWEST_TEAMS, TEAM_SCALES, crossed_interval, team_interval
from evaluation.core.uncertainty.ends import (
    FEWEST_TOPICS,
    FEWEST_TOPICS_FOR_RECALL,
    FEWEST_TOPICS_FOR_SHARE,
    LEVEL,
    Ends,
)
from evaluation.core.uncertainty.jackknife import (
    Difference,
    ErrorScale,
    jackknife_difference,
    jackknife_ends,
    jackknife_interval,
    matrices_without_each,
    means_without_each,
)
from evaluation.core.uncertainty.means import difference_intervals, mean_intervals
from evaluation.core.uncertainty.ranks import (
    NoiseCeiling,
    noise_ceiling,
    rank_difference,
    rank_interval,
    why_no_difference,
    why_no_interval,
)

__all__ = [
    "FEWEST_TEAMS",
    "FEWEST_TOPICS",
    "FEWEST_TOPICS_FOR_RECALL",
    "FEWEST_TOPICS_FOR_SHARE",
    "LEVEL",
    "TEAM_SCALES",
    "Difference",
    "Ends",
    "ErrorScale",
    "NoiseCeiling",
    "crossed_interval",
    "difference_intervals",
    "jackknife_difference",
    "jackknife_ends",
    "jackknife_interval",
    "matrices_without_each",
    "mean_intervals",
    "means_without_each",
    "noise_ceiling",
    "rank_difference",
    "rank_interval",
    "team_interval",
    "why_no_difference",
    "why_no_interval",
]
