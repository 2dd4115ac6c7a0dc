"""The universe of a plan: every pair that some run ranks among its first k results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from trackside.arrays import Flags, Floats, Ints
from trackside.errors import InputError

Heads = Mapping[str, Mapping[str, Sequence[str]]]
"""Tag to topic to docnos, best first."""
Pair = tuple[str, str]


@dataclass(frozen=True)
class Universe:
    """Pairs of topic and docno, and where each run ranks them.

    ``topic`` [pair] are indices into ``topics``. ``places`` [run, topic, depth] are pairs by rank; the number
    of pairs stands for no result, and for a document outside the universe.
    """

    names: tuple[Pair, ...]
    topics: tuple[str, ...]
    topic: Ints
    tags: tuple[str, ...]
    places: Ints

    @classmethod
    def of(cls, heads: Heads, depth: int, pairs: AbstractSet[Pair] | None = None) -> Universe:
        """The universe of runs to a depth; with ``pairs``, of these alone. Raises nothing-meets."""
        ranked = ((topic, head) for ranking in heads.values() for topic, head in ranking.items())
        pooled = {(topic, docno) for topic, head in ranked for docno in head[:depth]}
        kept = pooled if pairs is None else pooled & pairs
        if not kept:
            raise InputError(
                "runs and grades have no pair of topic and document in common. Compare their ids.",
                code="nothing-meets",
            )
        return cls.of_pairs(kept, depth).with_runs(heads)

    @classmethod
    def of_pairs(cls, pairs: Iterable[Pair], depth: int) -> Universe:
        """These pairs, without runs."""
        names = tuple(sorted(pairs))
        topics = tuple(sorted({topic for topic, _ in names}))
        rows = {topic: row for row, topic in enumerate(topics)}
        places = np.empty((0, len(topics), depth), np.int64)
        return cls(names, topics, np.array([rows[topic] for topic, _ in names]), (), places)

    def with_runs(self, heads: Heads) -> Universe:
        """The same pairs, with more runs."""
        places = np.full((len(heads), *self.places.shape[1:]), self.pair_count)
        for run, ranking in enumerate(heads.values()):
            for row, topic in enumerate(self.topics):
                head = ranking.get(topic, ())[: self.depth]
                numbers = [self.index.get((topic, docno), self.pair_count) for docno in head]
                places[run, row, : len(numbers)] = numbers
        return replace(self, tags=(*self.tags, *heads), places=np.concatenate([self.places, places]))

    def without(self, tags: AbstractSet[str]) -> Universe:
        """The same pairs, without some runs."""
        kept = [run for run, tag in enumerate(self.tags) if tag not in tags]
        return replace(self, tags=tuple(self.tags[run] for run in kept), places=self.places[kept])

    def missing(self, ranking: Mapping[str, Sequence[str]]) -> float:
        """The share of a run's first results, on these topics, that the universe lacks."""
        shown = [(topic, docno) for topic in self.topics for docno in ranking.get(topic, ())[: self.depth]]
        return sum(pair not in self.index for pair in shown) / max(len(shown), 1)

    @property
    def pair_count(self) -> int:
        """Number of pairs."""
        return len(self.names)

    @property
    def depth(self) -> int:
        """Results of a topic that count."""
        return int(self.places.shape[2])

    @cached_property
    def index(self) -> dict[Pair, int]:
        """The number of each pair."""
        return {pair: number for number, pair in enumerate(self.names)}

    @cached_property
    def ranks(self) -> Floats:
        """The rank of each pair in each run [pair, run], from 1; infinite where the run lacks it."""
        ranks = self.scattered(np.broadcast_to(np.arange(1.0, self.depth + 1), self.places.shape))
        return np.where(ranks > 0, ranks, np.inf)

    def scattered(self, values: Floats) -> Floats:
        """Values [run, topic, rank] at their pairs [pair, run], else 0."""
        rows = np.zeros((self.pair_count + 1, len(self.tags)))
        rows[self.places, np.arange(len(self.tags))[:, None, None]] = values
        return rows[:-1]

    @cached_property
    def by_topic(self) -> sp.csr_array:
        """The matrix [topic, pair] that sums over the pairs of each topic."""
        entries = (np.ones(self.pair_count), (self.topic, np.arange(self.pair_count)))
        return sp.csr_array(entries, (len(self.topics), self.pair_count))

    @cached_property
    def is_first(self) -> Flags:
        """Whether a run is the first of those with identical lists, which are one run."""
        firsts = np.unique(self.places.reshape(len(self.tags), -1), axis=0, return_index=True)[1]
        return np.isin(np.arange(len(self.tags)), firsts)
