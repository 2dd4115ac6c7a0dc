"""One run under one set of qrels: the judged results in rank order, and the counts that measures use.

Only judged results are stored; an unjudged one affects measures only by its rank.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trackside.measuring.lookup import stored


@dataclass(frozen=True, eq=False)
class Judgments:
    """The grades of one set of qrels over T topics.

    ``topics`` (index) and ``grades`` have one entry per document of the pool, IN_POOL or less for those
    without a grade; ``strata`` is the stratum of each document, None if the pool was not sampled. Counts and
    ideal lists are cached because every run uses them.
    """

    topic_count: int
    topics: NDArray[np.int64]
    grades: NDArray[np.int64]
    strata: NDArray[np.int64] | None = None
    _relevant: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    _ideal: dict[tuple[tuple[int, float], ...], Ranked] = field(default_factory=dict)
    _ideal_dcg: dict[tuple[Ranked, int | None], NDArray[np.float64]] = field(default_factory=dict)

    @cached_property
    def highest(self) -> int:
        """The highest grade, 0 without any."""
        return int(self.grades.max(initial=0))

    def relevant(self, level: int) -> NDArray[np.int64]:
        """Number of documents of each topic with at least grade ``level``."""
        if level not in self._relevant:
            mask = self.grades >= level
            self._relevant[level] = np.bincount(self.topics[mask], minlength=self.topic_count)
        return self._relevant[level]

    def nonrelevant(self, level: int) -> NDArray[np.int64]:
        """Number of judged documents of each topic below ``level``."""
        return np.bincount(
            self.topics[(self.grades >= 0) & (self.grades < level)], minlength=self.topic_count
        )

    def ideal(self, gains: Mapping[int, float]) -> Ranked:
        """The judged documents of positive gain, highest first.

        trec_eval truncates differences between gains to whole numbers and so misorders gains closer than 1.
        """
        key = tuple(sorted(gains.items()))
        if key not in self._ideal:
            gain = gain_of(self.grades, gains)
            topics, gain = self.topics[gain > 0], gain[gain > 0]
            order = np.lexsort((-gain, topics))
            topics, gain = topics[order], gain[order]
            self._ideal[key] = Ranked(self.topic_count, topics, place_in_topic(topics), gain)
        return self._ideal[key]

    def ideal_dcg(self, gains: Mapping[int, float], cutoff: int | None) -> NDArray[np.float64]:
        """Discounted cumulative gain of the first ``cutoff`` ranks of the ideal list."""
        ideal = self.ideal(gains)
        if (ideal, cutoff) not in self._ideal_dcg:
            cutoffs = None if cutoff is None else np.full(self.topic_count, cutoff)
            self._ideal_dcg[ideal, cutoff] = ideal.dcg(cutoffs)
        return self._ideal_dcg[ideal, cutoff]


@dataclass(frozen=True, eq=False)
class Ranked:
    """Gains at ranks (0 is the first), topic by topic in rank order."""

    topic_count: int
    topics: NDArray[np.int64]
    ranks: NDArray[np.int64]
    gains: NDArray[np.float64]

    @cached_property
    def discounted(self) -> NDArray[np.float64]:
        """Each gain divided by the binary logarithm of its rank plus 1, ranks counted from 1."""
        return self.gains / log2_of_rank(self.ranks)

    def dcg(self, cutoffs: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Discounted cumulative gain of each topic over its first ``cutoffs[topic]`` ranks."""
        values = (
            self.discounted
            if cutoffs is None
            else np.where(self.ranks < cutoffs[self.topics], self.discounted, 0.0)
        )
        return sum_in_order(self.topics, values, self.topic_count)


@dataclass(frozen=True)
class JudgedRun:
    """The judged results of one run, topic by topic in rank order.

    ``topics``, ``ranks`` (0 is the first), ``grades`` (IN_POOL or less for pool members without a grade) and,
    if the pool was sampled, ``strata`` have one entry per result. ``retrieved`` counts all results of each
    topic, judged or not; ``is_answered`` is False for topics without results in the run; ``is_condensed`` is
    True if results without a grade were removed.
    """

    judgments: Judgments
    topics: NDArray[np.int64]
    ranks: NDArray[np.int64]
    grades: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    is_answered: NDArray[np.bool_]
    strata: NDArray[np.int64] | None = None
    is_condensed: bool = False

    @property
    def topic_count(self) -> int:
        """Number of topics."""
        return self.judgments.topic_count

    def count(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Number of masked results of each topic."""
        return np.bincount(self.topics[mask], minlength=self.topic_count)

    def relevant_before(self, level: int, cutoff: int | None = None) -> NDArray[np.int64]:
        """Number of results of each topic with at least grade ``level`` in its first ``cutoff`` ranks."""
        mask = self.grades >= level
        return self.count(mask if cutoff is None else mask & (self.ranks < cutoff))

    def counting(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """1, 2, 3, … within each topic, for the masked results only."""
        return place_in_topic(self.topics[mask]) + 1

    def running(self, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each result, the number of masked results of its topic up to and including it."""
        total = np.cumsum(mask)
        return total - (total - mask)[first_in_topic(self.topics)]

    def gained(self, gains: Mapping[int, float], cutoff: int | None = None) -> Ranked:
        """The results with a nonzero gain in the first ``cutoff`` ranks."""
        rows = slice(None) if cutoff is None else np.flatnonzero(self.ranks < cutoff)
        gain = gain_of(self.grades[rows], gains)
        mask = gain != 0
        return Ranked(self.topic_count, self.topics[rows][mask], self.ranks[rows][mask], gain[mask])

    def judged_only(self) -> JudgedRun:
        """The condensed list: results without a grade removed, the rest moved up (Sakai, SIGIR 2007)."""
        mask = self.grades >= 0
        topics = self.topics[mask]
        strata = None if self.strata is None else self.strata[mask]
        retrieved = np.bincount(topics, minlength=self.topic_count)
        ranks = place_in_topic(topics)
        return JudgedRun(
            self.judgments,
            topics,
            ranks,
            self.grades[mask],
            retrieved,
            self.is_answered,
            strata,
            is_condensed=True,
        )


def gain_of(grades: NDArray[np.int64], gains: Mapping[int, float]) -> NDArray[np.float64]:
    """The gain of each stored grade: from ``gains``, else the grade itself, and 0 for negative ones."""
    gain = np.maximum(grades, 0).astype(np.float64)
    for grade, stored_grade in zip(gains, stored(np.array(list(gains), np.int64)), strict=True):
        gain[grades == stored_grade] = gains[grade]
    return gain


def sum_in_order(
    topics: NDArray[np.int64], values: NDArray[np.float64], topic_count: int
) -> NDArray[np.float64]:
    """Sums per topic, added sequentially: numpy's pairwise summation differs in the last digit."""
    return np.bincount(topics, weights=values, minlength=topic_count).astype(np.float64, copy=False)


def first_in_topic(topics: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each entry the position of the first of its topic; entries of a topic must be consecutive."""
    if not len(topics):
        return np.empty(0, np.int64)
    starts = np.flatnonzero(np.diff(topics, prepend=-1))
    return np.repeat(starts, np.diff(starts, append=len(topics)))


def place_in_topic(topics: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, 2, … within each topic; entries of a topic must be consecutive."""
    return np.arange(len(topics)) - first_in_topic(topics)


def log2_of_rank(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """log2(rank + 2) for ranks from 0, from the C library: numpy's may differ in the last bit."""
    size = int(ranks.max(initial=0)) + 1
    table = _LOG2 if size <= len(_LOG2) else np.array([math.log2(rank + 2) for rank in range(size)])
    return table[ranks]


_LOG2 = np.array([math.log2(rank + 2) for rank in range(1000)])
