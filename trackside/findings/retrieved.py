"""The judged pairs that runs retrieved, their values under any grades of the pairs, and means of these."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Floats, Ints
from trackside.files import Rankings
from trackside.measuring import Measure, parse_measure
from trackside.measuring.evaluating import refuse_duplicates
from trackside.measuring.judged import JudgedRun, Judgments
from trackside.measuring.lookup import ABSENT, Found, JudgedPairs


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One run's judged results in order of topic and rank: pair and rank (0 is the first) of each.

    ``counts`` is the number of results of each topic, judged or not. ``pairs`` and ``ranks`` of runs take 32
    bits, because large tracks have tens of millions.
    """

    pairs: NDArray[np.signedinteger[Any]]
    ranks: NDArray[np.signedinteger[Any]]
    counts: Ints

    def among(self, index_of_pair: Ints, topics: Ints) -> Self:
        """Select results; ``index_of_pair`` is the new index of each of the study's pairs, or -1."""
        indices = index_of_pair[self.pairs]
        is_in = indices >= 0
        return type(self)(indices[is_in], self.ranks[is_in].astype(np.int64), self.counts[topics])


@dataclass(frozen=True)
class GradedPairs:
    """Grades of the study's pairs, in the form that measures accept."""

    grades: Ints
    topic_of_pair: Ints
    topic_count: int

    @cached_property
    def _judgments(self) -> Judgments:
        is_in = self.grades != ABSENT
        return Judgments(self.topic_count, self.topic_of_pair[is_in], self.grades[is_in])

    def values(self, run: Retrieved, measures: Sequence[str]) -> Floats:
        """Compute the values [measure, topic] of one run."""
        grades = self.grades[run.pairs]
        is_in = grades != ABSENT
        judged = JudgedRun(
            self._judgments,
            self.topic_of_pair[run.pairs][is_in],
            run.ranks[is_in].astype(np.int64),
            grades[is_in],
            run.counts,
            run.counts > 0,
        )
        return np.array([_measure(name).family.values(judged, _measure(name)) for name in measures])


def retrieved_of(ranking: Rankings, pairs: JudgedPairs, lookup: Found) -> Retrieved:
    """Select a run's results among the judged pairs. Raises duplicate-docno."""
    topics, sizes = pairs.places(ranking), np.diff(ranking.bounds)
    if ranking.has_duplicates:
        refuse_duplicates(ranking, topics, sizes)
    order = np.lexsort((lookup.rows, lookup.topics))
    counts = np.zeros(len(pairs.topics), np.int64)
    counts[topics[topics >= 0]] = sizes[topics >= 0]
    ranks = lookup.rows - ranking.bounds[ranking.topic_of_row[lookup.rows]]
    return Retrieved(lookup.pairs[order].astype(np.int32), ranks[order].astype(np.int32), counts)


@cache
def _measure(name: str) -> Measure:
    return parse_measure(name)


@dataclass(frozen=True, slots=True)
class Shared:
    """Values [set, run, topic] without gaps; ``runs`` and ``topics`` are indices into the study's."""

    runs: Ints
    topics: Ints
    values: Floats

    @classmethod
    def complete(cls, values: Floats, topics: Ints) -> Self:
        """Select the runs without a missing value [set, run, topic]."""
        runs = np.flatnonzero(~np.isnan(values).any(axis=(0, 2))) if topics.size else np.arange(0)
        return cls(runs, topics, values[:, runs])

    def means(self) -> Floats:
        """Mean of each run under each set, [set, run]."""
        return np.array([means_of(values) for values in self.values])


def means_of(values: Floats) -> Floats:
    """Mean of each row [run, topic], summed topic by topic as trec_eval does; NaN without topics."""
    if not values.shape[1]:
        return np.full(len(values), np.nan)
    means: Floats = np.cumsum(values, axis=1)[:, -1] / values.shape[1]
    return means


def run_means(shared: Shared, set_index: int, run_count: int) -> tuple[float | None, ...]:
    """Mean of every run of the study under one of the sets; None for a run that is not in ``shared``."""
    means: list[float | None] = [None] * run_count
    for run, mean in zip(shared.runs.tolist(), means_of(shared.values[set_index]).tolist(), strict=True):
        means[run] = mean
    return tuple(means)
