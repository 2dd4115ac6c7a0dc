"""Intervals of a report by statistic, chosen by simulation (docs/simulations.md).

| statistic | function |
|---|---|
| mean of a run over topics | `mean_intervals` |
| coefficient of summed confusion matrices | `jackknife_interval` |
| correlation of two orders of runs | `rank_interval` |
| tau with other teams' runs | `team_interval` |

Fewer than `FEWEST_TOPICS` topics give no interval over topics. A `Reason` explains each missing interval.
"""
