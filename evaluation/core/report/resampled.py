"""Coefficients of the runs' means under people and a judge, over the topics and over resamples of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.bootstrap import FEWEST_TOPICS, percentile_interval, run_interval
from evaluation.core.correlation_rows import COEFFICIENTS, in_blocks
from evaluation.core.estimate import Estimate, Interval, Reason
from evaluation.core.ranks import TIE
from evaluation.core.report.content import Number
from evaluation.core.report.study import PEOPLE

MOST_RUN_RESAMPLES = 1_000

if TYPE_CHECKING:
    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.correlation_rows import Statistic
    from evaluation.core.report.study import Shared, Study


@dataclass(frozen=True, slots=True)
class Sampled:
    """A coefficient, and its value in each resample; None where it is undefined itself."""

    value: Estimate
    samples: Floats | None

    @property
    def number(self) -> Number:
        """The value with its 95 % interval."""
        return Number.of(self.value, None if self.samples is None else percentile_interval(self.samples))


@dataclass(frozen=True)
class Resampled:
    """Every coefficient of a study's judges, each worked out once for the same topics."""

    study: Study
    known: dict[tuple[str, int, int, bytes], Sampled] = field(default_factory=dict)
    known_over_runs: dict[tuple[str, int, int], Interval] = field(default_factory=dict)

    def of(self, name: str, at: int, judge: int, topics: Ints | None = None) -> Sampled:
        """A coefficient of ``COEFFICIENTS`` by one measure, over the topics that people and the judge share.

        ``topics`` names some of these.
        """
        chosen = self.study.shared_topics(PEOPLE, judge) if topics is None else topics
        key = name, at, judge, chosen.tobytes()
        if key not in self.known:
            shared = self.study.shared_values(at, PEOPLE, judge, topics=chosen)
            self.known[key] = sampled(self.study, COEFFICIENTS[name], shared)
        return self.known[key]

    def over_runs(self, name: str, at: int, judge: int) -> Interval:
        """The coefficient's interval over runs, on the topics that people and the judge share."""
        key = name, at, judge
        if key not in self.known_over_runs:
            means = self.study.shared_values(at, PEOPLE, judge).means()
            self.known_over_runs[key] = interval_over_runs(self.study, COEFFICIENTS[name], *means)
        return self.known_over_runs[key]


def interval_over_runs(study: Study, statistic: Statistic, x: Floats, y: Floats) -> Interval:
    """The interval of a statistic of two vectors of run means, by resampling the runs."""
    if x.size < 2:
        return Interval.undefined(Reason.TOO_FEW, 0.95)
    return run_interval(
        x, y, partial(in_blocks, statistic), seed=study.design.seed, replicates=run_resamples(study)
    )


def run_resamples(study: Study) -> int:
    """How often runs are drawn: fewer times than topics, for it doubles the time of a hundred runs."""
    return min(study.design.replicates, MOST_RUN_RESAMPLES)


def sampled(study: Study, statistic: Statistic, shared: Shared) -> Sampled:
    """The statistic of the run means and of their resamples; one topic resampled is always itself."""
    values = shared.values
    means = np.array([each.mean(axis=1) for each in values]) if shared.topics.size else np.empty((2, 0))
    found = coefficient(statistic, means[0], means[1])
    if found.value is None or shared.topics.size < FEWEST_TOPICS:
        return Sampled(found, None)
    truth, own = (study.sampled_means(each) for each in values)
    return Sampled(found, in_blocks(statistic, truth, own))


def coefficient(statistic: Statistic, x: Floats, y: Floats) -> Estimate:
    """A row statistic of two vectors of run means, or why there is none.

    Where one side has all runs equal there is none: any order of them would be that of their names.
    """
    if x.size > 1 and min(np.ptp(x), np.ptp(y)) < TIE:
        return Estimate.undefined(Reason.CONSTANT)
    value = statistic(x[None], y[None])[0] if x.size else np.nan
    if not np.isnan(value):
        return Estimate.of(value)
    return Estimate.undefined(Reason.TOO_FEW if x.size < 2 else Reason.TIES)
