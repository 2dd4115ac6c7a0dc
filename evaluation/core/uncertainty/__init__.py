"""Intervals of a report by statistic, chosen by simulation (docs/simulations.md).

| statistic | function |
|---|---|
| mean of a run over topics | `mean_intervals` |
| coefficient of summed confusion matrices | `jackknife_interval` |
| correlation of two orders of runs | `rank_interval` |
| tau with other teams' runs | `team_interval` |

Fewer than `FEWEST_TOPICS` topics give no interval over topics. A `Reason` explains each missing interval.
"""

from evaluation.core.uncertainty.ends import (
    FEWEST_TOPICS,
    FEWEST_TOPICS_FOR_RECALL,
    FEWEST_TOPICS_FOR_SHARE,
    LEVEL,
    Ends,
)
from evaluation.core.uncertainty.jackknife import (
    ErrorScale,
    jackknife_ends,
    jackknife_interval,
    matrices_without_each,
    means_without_each,
)
from evaluation.core.uncertainty.means import mean_intervals
from evaluation.core.uncertainty.ranks import rank_interval
from evaluation.core.uncertainty.teams import FEWEST_TEAMS, team_interval

__all__ = [
    "FEWEST_TEAMS",
    "FEWEST_TOPICS",
    "FEWEST_TOPICS_FOR_RECALL",
    "FEWEST_TOPICS_FOR_SHARE",
    "LEVEL",
    "Ends",
    "ErrorScale",
    "jackknife_ends",
    "jackknife_interval",
    "matrices_without_each",
    "mean_intervals",
    "means_without_each",
    "rank_interval",
    "team_interval",
]
