"""Values of the runs under run-blind judges, which make the judge's errors but ignore who retrieved an item.

A run-blind judge draws its grade of an item from the judge's grades of all items with the same people's
grade. It has the judge's confusion matrix, and so its leniency, but does not know which run found an item.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.measures import parse_measure
from evaluation.core.measures.families import Cut
from evaluation.core.measures.judged import JudgedRun, Judgments
from evaluation.core.report.shared_values import means_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.families.favour import Blind, favour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.measures import Measure
    from evaluation.core.report.retrieved import Retrieved
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.families.favour import Favour

MOST_DRAWS, LEAST_DRAWS = 100, 25
MOST_RESULTS = 10_000_000  # judged results looked up for one judge; bounds the time of large tracks
IN_BLOCK = 500_000  # grades of a block of draws
BLOCKS = 8  # in memory at a time; bounds the memory


@dataclass(frozen=True)
class RunBlind:
    """Values under run-blind judges: expected values [measure, run, topic], drawn means [draw, measure, run].

    Topics are those that people and the judge share, in the order of ``Study.shared_topics``; runs are all
    runs of the study. ``moved`` [topic, measure, run] is the change of a run's expected mean over the other
    topics if a topic is left out, because the judge's confusion matrix then changes; 0 if grades are drawn
    within topics.
    """

    expected: Floats
    means: Floats
    moved: Floats

    @property
    def draws(self) -> int:
        """Number of drawn judges."""
        return int(self.means.shape[0])


def run_blind(study: Study, judge: int, *, within: str = "") -> RunBlind:
    """Draw grades of run-blind judges; the seed combines the design's seed and the judge's index.

    ``within``, else ``Design.run_blind``, selects draws within people's grade over all topics ("overall") or
    within each topic ("topic"), which preserves the judge's leniency on each topic.
    """
    is_by_topic = (within or study.design.run_blind) == "topic"
    pairs = study.in_pair_order(study.shared_pairs(PEOPLE, judge))
    topics, topic_of_pair = np.unique(study.topic_of_pair[pairs], return_inverse=True)
    confusion = _Confusion.of(study, judge, pairs, topic_of_pair, is_by_topic=is_by_topic)
    draws = _draw_count(study, pairs)
    slopes = _Slopes.of_zeros((len(study.measures), len(study.runs), topics.size), confusion)
    means = np.empty((draws, len(study.measures), len(study.runs)))
    done = 0
    drawn = _drawn(study, judge, pairs, draws, is_by_topic=is_by_topic)
    while grades := list(islice(drawn, BLOCKS)):
        blocks = list(_blocks(grades, topic_of_pair, topics.size, slopes, done))
        for run, retrieved in enumerate(study.retrieved):
            results = _Results.of(study, retrieved, pairs, topics)
            for at, name in enumerate(study.measures):
                found = _Stacked.of(results, _measure(name))
                for block in blocks:
                    values = found.values(block, _measure(name))
                    slopes.add_values(at, run, values, block.counts)
                    means[block.draws, at, run] = means_of(values)
        done = blocks[-1].draws.stop
    return RunBlind(slopes.values / draws, means, slopes.moved(draws))


def favour_of(study: Study, blind: RunBlind, shared: Shared, at: int, flags: Flags) -> Favour:
    """Measure how the judge of these values favours the flagged runs."""
    teams = [study.teams[run] for run in shared.runs]
    people, own = shared.values
    return favour(
        people,
        own,
        Blind(
            blind.expected[at][shared.runs],
            blind.means[:, at][:, shared.runs],
            blind.moved[:, at][:, shared.runs],
        ),
        flags,
        teams,
        seed=study.design.seed,
        alpha=study.design.alpha,
    )


@dataclass(frozen=True)
class _Results:
    """A run's results among the shared pairs by topic and rank; pairs and topics are indices."""

    pairs: Ints
    topics: Ints
    ranks: Ints
    counts: Ints

    @classmethod
    def of(cls, study: Study, found: Retrieved, pairs: Ints, topics: Ints) -> _Results:
        place = np.full(study.topic_of_pair.size, -1)
        place[pairs] = np.arange(pairs.size)
        own = place[found.pairs]
        is_shared = own >= 0
        place_of_topic = np.full(len(study.topics), -1)
        place_of_topic[topics] = np.arange(topics.size)
        own_topics = place_of_topic[study.topic_of_pair[found.pairs[is_shared]]]
        return cls(own[is_shared], own_topics, found.ranks[is_shared].astype(np.int64), found.counts[topics])


@dataclass(frozen=True)
class _Block:
    """Some of the draws: their grades [draw, pair], judgments, and counts as `_Confusion.counts` returns."""

    draws: slice
    grades: Ints
    judgments: Judgments
    counts: Floats


def _blocks(
    grades: list[Ints], topic_of_pair: Ints, topic_count: int, slopes: _Slopes, done: int
) -> Iterator[_Block]:
    """Yield blocks of grades, drawn after the first ``done`` draws, and add their counts to ``slopes``."""
    most = max(map(len, grades))
    topics = (topic_of_pair + np.arange(most)[:, None] * topic_count).ravel()  # shared by the blocks
    for own in grades:
        judgments = Judgments(topic_count * len(own), topics[: own.size], own.ravel())
        yield _Block(slice(done, done + len(own)), own, judgments, slopes.add_counts(own))
        done += len(own)


@dataclass
class _Stacked:
    """The results of one run that a measure uses, repeated for each draw of a block.

    Consecutive blocks have equal numbers of draws, so that their arrays are made once.
    """

    pairs: Ints
    topics: Ints
    ranks: Ints
    counts: Ints
    _repeated: tuple[Ints, Ints, Ints, Flags] | None = None

    @classmethod
    def of(cls, found: _Results, measure: Measure) -> _Stacked:
        is_used = _first(found.ranks, measure)
        return cls(found.pairs[is_used], found.topics[is_used], found.ranks[is_used], found.counts)

    def values(self, block: _Block, measure: Measure) -> Floats:
        """Values of a measure [draw, topic] under the drawn grades."""
        draws = len(block.grades)
        topics, ranks, counts, is_answered = self._for(draws)
        grades = block.grades[:, self.pairs].ravel()
        judged = JudgedRun(block.judgments, topics, ranks, grades, counts, is_answered)
        values: Floats = measure.family.values(judged, measure)
        return values.reshape(draws, self.counts.size)

    def _for(self, draws: int) -> tuple[Ints, Ints, Ints, Flags]:
        if self._repeated is None or self._repeated[2].size != draws * self.counts.size:
            topics = (self.topics + np.arange(draws)[:, None] * self.counts.size).ravel()
            counts = np.tile(self.counts, draws)
            self._repeated = topics, np.tile(self.ranks, draws), counts, counts > 0
        return self._repeated


def _first(ranks: Ints, measure: Measure) -> Flags:
    """Flag the results above the measure's cutoff; all results if it has none."""
    if measure.cutoff is None or measure.family.cut is Cut.FRACTION:
        return np.ones(ranks.size, dtype=np.bool_)
    return ranks < measure.cutoff


def _draw_count(study: Study, pairs: Ints) -> int:
    is_shared = np.zeros(study.topic_of_pair.size, dtype=np.bool_)
    is_shared[pairs] = True
    results = sum(int(is_shared[found.pairs].sum()) for found in study.retrieved)
    return int(np.clip(MOST_RESULTS // max(results, 1), LEAST_DRAWS, MOST_DRAWS))


def _drawn(study: Study, judge: int, pairs: Ints, draws: int, *, is_by_topic: bool) -> Iterator[Ints]:
    """Yield grades [draw, pair] in blocks of draws."""
    rng = np.random.default_rng([study.design.seed, judge])
    own, group = study.grades[judge][pairs], study.grades[PEOPLE][pairs]
    if is_by_topic:
        group = group + study.topic_of_pair[pairs] * (int(group.max(initial=0)) + 1)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(starts, append=order.size)
    first = np.empty(pairs.size, dtype=np.int64)
    count = np.empty(pairs.size, dtype=np.int64)
    first[order], count[order] = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    by_group = own[order]
    size = max(1, IN_BLOCK // max(pairs.size, 1))
    for start in range(0, draws, size):
        places = rng.random((min(size, draws - start), pairs.size)) * count
        yield by_group[first + places.astype(np.int64)]


@dataclass(frozen=True)
class _Confusion:
    """The cells of a confusion matrix over all topics: shares of the judge's grades within people's.

    ``cell_of`` [pair] is the first cell of the pair's topic and people's grade in a table [topic, cell].
    ``shares`` [cell] are the shares, ``shifts`` [topic, cell] their changes if the topic is left out. There
    are no cells if grades are drawn within topics.
    """

    cell_of: Ints
    shares: Floats
    shifts: Floats

    @classmethod
    def of(
        cls, study: Study, judge: int, pairs: Ints, topic_of_pair: Ints, *, is_by_topic: bool
    ) -> _Confusion:
        size = max(study.design.scale, default=0) + 1
        people, own = study.grades[PEOPLE][pairs], study.grades[judge][pairs]
        topic_count = int(topic_of_pair.max(initial=-1)) + 1
        if is_by_topic:
            return cls(np.empty(0, dtype=np.int64), np.empty(0), np.empty((topic_count, 0)))
        cell_of = (topic_of_pair * size + people) * size
        by_topic = np.bincount(cell_of + own, minlength=topic_count * size**2).reshape(-1, size, size)
        total = by_topic.sum(axis=0)
        rest = total - by_topic
        shares, without = (each / np.maximum(each.sum(axis=-1, keepdims=True), 1) for each in (total, rest))
        return cls(cell_of, shares.ravel(), (without - shares).reshape(topic_count, size**2))

    def counts(self, grades: Ints) -> Floats:
        """Numbers of items [draw * topic, cell] with drawn grades [draw, pair]."""
        draws, (topics, cells) = len(grades), self.shifts.shape
        if not cells:
            return np.zeros((draws * topics, 0))
        places = self.cell_of + grades + np.arange(draws)[:, None] * (topics * cells)
        counted = np.bincount(places.ravel(), minlength=draws * topics * cells)
        return counted.reshape(draws * topics, cells).astype(np.float64)


@dataclass(frozen=True)
class _Slopes:
    """Sums over draws, and how expected values depend on the cells of the confusion matrix.

    The slope of an expected value by a cell's share is its covariance, over the draws, with the number of
    items in the cell, divided by the share (the score function of multinomial draws). A topic's value depends
    on that topic's items alone. Its covariance with items of other topics is zero apart from noise, and is
    left out: with T topics this divides the variance of the slopes by T.
    """

    confusion: _Confusion
    values: Floats  # [measure, run, topic], sums over draws
    counts: Floats  # [topic, cell], sums over draws
    products: Floats  # [measure, run, cell], sums over draws and topics of value times count

    @classmethod
    def of_zeros(cls, shape: tuple[int, int, int], confusion: _Confusion) -> _Slopes:
        topics, cells = confusion.shifts.shape
        return cls(confusion, np.zeros(shape), np.zeros((topics, cells)), np.zeros((*shape[:2], cells)))

    def add_counts(self, grades: Ints) -> Floats:
        """Count the items of drawn grades, and return their numbers as `_Confusion.counts` does."""
        counts = self.confusion.counts(grades)
        self.counts[:] += counts.reshape(len(grades), *self.counts.shape).sum(axis=0)
        return counts

    def add_values(self, at: int, run: int, values: Floats, counts: Floats) -> None:
        """Add values [draw, topic] of a run by a measure, and their products with the counts of the draws."""
        self.values[at, run] += values.sum(axis=0)
        self.products[at, run] += values.ravel() @ counts

    def moved(self, draws: int) -> Floats:
        """Changes [topic, measure, run] of expected means if a topic is left out, to the first order."""
        covariance = (self.products - self.values @ self.counts / draws) / (draws - 1)
        shares = self.confusion.shares
        per_share = np.divide(covariance, shares, out=np.zeros_like(covariance), where=shares > 0)
        found: Floats = np.einsum("sc,mrc->smr", self.confusion.shifts, per_share / max(len(self.counts), 1))
        return found


@lru_cache
def _measure(name: str) -> Measure:
    return parse_measure(name)
