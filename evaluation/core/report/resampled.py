"""Coefficients between the runs' means under people and under a judge, with bootstrap resamples of topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.findings import Number
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.correlation_rows import BOUNDS, COEFFICIENTS, FEWEST_RUNS, SMOOTH, in_blocks
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.ranks import TIE
from evaluation.core.uncertainty import (
    FEWEST_TOPICS,
    LEVEL,
    TEAM_SCALES,
    means_without_each,
    rank_difference,
    rank_interval,
    team_interval,
    why_no_difference,
    why_no_interval,
)

if TYPE_CHECKING:
    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.correlation_rows import Statistic


@dataclass(frozen=True, slots=True)
class Sampled:
    """A coefficient and its value in each resample of the topics; ``samples`` is empty if none were drawn."""

    name: str
    value: Estimate
    samples: Floats
    topic_count: int
    left_out: Floats | None = None  # with each topic left out, for smooth coefficients

    @property
    def number(self) -> Number:
        """The value with its 95 % interval over the same number of other topics of this kind."""
        if why := why_no_interval(self.name, self.topic_count):
            return Number.of(self.value, Interval.undefined(why, LEVEL))
        bounds = BOUNDS.get(self.name, (-1.0, 1.0))
        found = rank_interval(
            self.value, self.samples, self.topic_count, bounds=bounds, left_out=self.left_out
        )
        return Number.of(self.value, found)

    def minus(self, other: Sampled) -> Number:
        """Subtract another coefficient over the same resamples: value with interval."""
        value = self.value.minus(other.value)
        if why := why_no_difference(self.name, self.topic_count):
            return Number.of(value, Interval.undefined(why, LEVEL))
        is_drawn = self.samples.size and other.samples.size
        samples = self.samples - other.samples if is_drawn else np.empty(0)
        return Number.of(value, rank_difference(value, samples, self.topic_count))


@dataclass(frozen=True)
class Resampled:
    """Cache of the coefficients of a study's judges, by name, measure, judge and topics."""

    study: Study
    known: dict[tuple[str, int, int, bytes], Sampled] = field(default_factory=dict)

    def of(self, name: str, at: int, judge: int, topics: Ints | None = None) -> Sampled:
        """Return a coefficient of ``COEFFICIENTS`` by one measure, over topics that people and judge share.

        ``topics`` restricts them to these indices; None uses all.
        """
        chosen = self.study.shared_topics(PEOPLE, judge) if topics is None else topics
        key = name, at, judge, chosen.tobytes()
        if key not in self.known:
            shared = self.study.shared_values(at, PEOPLE, judge, topics=chosen)
            self.known[key] = sampled(self.study, name, shared)
        return self.known[key]


def sampled(study: Study, name: str, shared: Shared) -> Sampled:
    """Compute a coefficient of the run means, and of their resamples if there are at least ten topics."""
    values = shared.values
    statistic = COEFFICIENTS[name]
    if not shared.topics.size:
        return Sampled(name, Estimate.undefined(Reason.NO_SHARED_TOPIC), np.empty(0), 0)
    means = np.array([each.mean(axis=1) for each in values])
    found = coefficient_of_runs(name, means[0], means[1])
    if found.value is None or shared.topics.size < FEWEST_TOPICS or why_no_interval(name, shared.topics.size):
        return Sampled(name, found, np.empty(0), shared.topics.size)
    truth, own = (study.sampled_means(each) for each in values)
    samples = in_blocks(statistic, truth, own)
    left_out = in_blocks(statistic, *map(means_without_each, values)) if name in SMOOTH else None
    return Sampled(name, found, samples, shared.topics.size, left_out)


def over_teams(study: Study, name: str, shared: Shared) -> Number:
    """Compute a coefficient with its jackknife interval over teams, leaving out each team's runs in turn."""
    if not shared.topics.size:
        return Number.of(Estimate.undefined(Reason.NO_SHARED_TOPIC))
    x, y = shared.means()
    value = coefficient_of_runs(name, x, y)
    teams = np.array([study.teams[run] for run in shared.runs])
    without = [
        coefficient_of_runs(name, x[teams != team], y[teams != team]).value for team in np.unique(teams)
    ]
    left_out = np.array([np.nan if each is None else each for each in without])
    return Number.of(value, team_interval(value, left_out, scale=TEAM_SCALES.get(name, "arcsine")))


def coefficient_of_runs(name: str, x: Floats, y: Floats) -> Estimate:
    """Compute a coefficient of ``COEFFICIENTS`` of the runs' means, or the reason why it is undefined."""
    if x.size < FEWEST_RUNS.get(name, 2):
        return Estimate.undefined(Reason.TOO_FEW)
    return coefficient(COEFFICIENTS[name], x, y)


def coefficient(statistic: Statistic, x: Floats, y: Floats) -> Estimate:
    """Compute a row statistic of two vectors of run means, or the reason why it is undefined.

    It is undefined if all runs are equal on one side: their order would only be that of their names.
    """
    if x.size > 1 and min(np.ptp(x), np.ptp(y)) < TIE:
        return Estimate.undefined(Reason.CONSTANT)
    value = statistic(x[None], y[None])[0] if x.size else np.nan
    if not np.isnan(value):
        return Estimate.of(value)
    return Estimate.undefined(Reason.TOO_FEW if x.size < 2 else Reason.TIES)
