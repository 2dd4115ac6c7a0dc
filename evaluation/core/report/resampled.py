"""Coefficients between the runs' means under people and under a judge, with bootstrap resamples of topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.study import PEOPLE
from evaluation.core.report.tables import Number
from evaluation.core.statistics.correlation.rows import BOUNDS, COEFFICIENTS, FEWEST_RUNS, SMOOTH, in_blocks
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
    from numpy.typing import NDArray

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.correlation.rows import Statistic


@dataclass(frozen=True)
class Sampled:
    """A coefficient of the runs' means under two sets; resamples of the topics are drawn on first use."""

    name: str
    value: Estimate
    study: Study
    shared: Shared

    @property
    def topic_count(self) -> int:
        """Number of topics that both sets share."""
        return self.shared.topics.size

    @cached_property
    def samples(self) -> Floats:
        """The coefficient in each resample of the topics; empty if there are too few for an interval."""
        if self.value.value is None or self.topic_count < FEWEST_TOPICS:
            return np.empty(0)
        means = (self.study.sampled_means(each) for each in self.shared.values)
        return in_blocks(COEFFICIENTS[self.name], *means)

    @property
    def left_out(self) -> Floats | None:
        """A smooth coefficient with each topic left out; None for the others, or too few topics."""
        if self.name not in SMOOTH or not self.samples.size:
            return None
        return in_blocks(COEFFICIENTS[self.name], *map(means_without_each, self.shared.values))

    @property
    def number(self) -> Number:
        """The value with its 95 % interval over equally many other topics of this kind."""
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
    values: dict[tuple[int, int, bytes], Shared] = field(default_factory=dict)

    def of(self, name: str, at: int, judge: int, topics: Ints | None = None) -> Sampled:
        """Return a coefficient of ``COEFFICIENTS`` by one measure, over topics that people and judge share.

        ``topics`` restricts them to these indices; None uses all.
        """
        chosen = self.study.shared_topics(PEOPLE, judge) if topics is None else topics
        key = at, judge, chosen.tobytes()
        if key not in self.values:
            self.values[key] = self.study.shared_values(at, PEOPLE, judge, topics=chosen)
        if (name, *key) not in self.known:
            self.known[name, *key] = sampled(self.study, name, self.values[key])
        return self.known[name, *key]


def sampled(study: Study, name: str, shared: Shared) -> Sampled:
    """Compute a coefficient of the run means."""
    if not shared.topics.size:
        return Sampled(name, Estimate.undefined(Reason.NO_SHARED_TOPIC), study, shared)
    people, own = (each.mean(axis=1) for each in shared.values)
    return Sampled(name, coefficient_of_runs(name, people, own), study, shared)


def over_teams(study: Study, name: str, shared: Shared) -> Number:
    """Compute a coefficient with its jackknife interval over teams, leaving out each team's runs in turn."""
    if not shared.topics.size:
        return Number.of(Estimate.undefined(Reason.NO_SHARED_TOPIC))
    x, y = shared.means()
    value = coefficient_of_runs(name, x, y)
    left_out = _without_each_team(name, x, y, np.array([study.teams[run] for run in shared.runs]))
    return Number.of(value, team_interval(value, left_out, scale=TEAM_SCALES.get(name, "arcsine")))


def _without_each_team(name: str, x: Floats, y: Floats, teams: NDArray[np.str_]) -> Floats:
    """Compute a coefficient with each team's runs left out, in the order of the teams; NaN if undefined."""
    names, sizes = np.unique(teams, return_counts=True)
    found = np.full(names.size, np.nan)
    for size in np.unique(sizes):
        if teams.size - size < FEWEST_RUNS.get(name, 2):
            continue
        left_out = np.flatnonzero(sizes == size)
        rest = np.array([np.flatnonzero(teams != names[team]) for team in left_out])
        is_varied = np.minimum(np.ptp(x[rest], axis=1), np.ptp(y[rest], axis=1)) >= TIE
        found[left_out[is_varied]] = in_blocks(COEFFICIENTS[name], x[rest[is_varied]], y[rest[is_varied]])
    return found


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
