"""Count pools of many runs at many depths, from a 64-bit number for each document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Flags, Ints

Docs = NDArray[np.uint64]


@dataclass
class DepthCounts:
    """The pool with one depth for all runs: sizes by topic; new items, unique items and slots in total."""

    sizes: list[int] = field(default_factory=list)
    new_count: int = 0
    unique_count: int = 0
    slot_count: int = 0


RANK = np.uint64(127)  # the bits of a number that hold a rank; the other 57 distinguish documents
DEEPEST = int(RANK)


@dataclass
class HeadCounts:
    """Counts of pools over topics that are added one at a time.

    ``depths`` are the depths to count for all runs alike. ``own_depths`` has the depth of each run, ``teams``
    the number of its team, from 0. ``run_uniques`` and ``team_uniques`` count the items that only one run, or
    one team, has at the runs' own depths.
    """

    depths: Sequence[int]
    own_depths: Ints
    teams: Ints

    def __post_init__(self) -> None:
        self.by_depth = {depth: DepthCounts() for depth in self.depths}
        self.run_uniques = np.zeros(len(self.own_depths), dtype=np.int64)
        self.team_uniques = np.zeros(self.teams.max(initial=-1) + 1, dtype=np.int64)
        self.lacking_counts = {"empty": 0, "bare": 0}

    def add_topic(
        self, heads: Docs, lengths: Ints, runs: Ints, pooled: Docs, lacking: Mapping[str, Docs]
    ) -> None:
        """Count the documents of one topic.

        ``heads`` are the first documents of each run, best first, one run after the other; ``runs`` are the
        numbers of these runs, ``lengths`` how many documents each has, 1 to ``DEEPEST``. ``pooled`` are the
        documents that are pooled already; ``lacking`` names sets of documents to find in the pool at the
        runs' own depths. Both are sorted.
        """
        ranks = np.concatenate([RANKS[:length] for length in lengths])
        self._count_depths(heads, ranks, lengths, pooled)
        in_own = np.flatnonzero(ranks <= np.repeat(self.own_depths[runs].astype(np.uint64), lengths))
        self._count_own(heads[in_own], np.repeat(runs, lengths)[in_own], lacking)

    def _count_depths(self, docs: Docs, ranks: Docs, lengths: Ints, pooled: Docs) -> None:
        # One sort of numbers that hold document and rank takes half the time of sorting by both.
        keys = docs & ~RANK
        keys |= ranks
        keys.sort()
        docs = keys & ~RANK
        starts = _starts(docs)
        is_shared = np.diff(np.append(starts, len(docs))) > 1
        is_old = _is_among(docs[starts], pooled & ~RANK)
        indices = (starts, starts[is_shared] + 1, starts[is_old])
        # Of the documents at these indices, how many have at most rank 0, 1, ... DEEPEST.
        ranks_at = ((keys[index] & RANK).astype(np.int64) for index in indices)
        sizes, shared, old = (np.bincount(group, minlength=DEEPEST + 1).cumsum() for group in ranks_at)
        for depth, counts in self.by_depth.items():
            counts.sizes.append(int(sizes[depth]))
            counts.new_count += int(sizes[depth] - old[depth])
            counts.unique_count += int(sizes[depth] - shared[depth])
            counts.slot_count += int(np.minimum(lengths, depth).sum())

    def _count_own(self, docs: Docs, run: Ints, lacking: Mapping[str, Docs]) -> None:
        if not len(docs):
            return
        order = np.argsort(docs)
        docs, run = docs[order], run[order]
        starts = _starts(docs)
        counts = np.diff(np.append(starts, len(docs)))
        self.run_uniques += np.bincount(run[starts[counts == 1]], minlength=len(self.run_uniques))
        team = self.teams[run]
        first, last = np.minimum.reduceat(team, starts), np.maximum.reduceat(team, starts)
        self.team_uniques += np.bincount(first[first == last], minlength=len(self.team_uniques))
        for name, documents in lacking.items():
            self.lacking_counts[name] += int(_is_among(docs[starts], documents).sum())


RANKS = np.arange(1, DEEPEST + 1, dtype=np.uint64)


def _starts(docs: Docs) -> Ints:
    """Return the place of the first of each group of equal documents; ``docs`` ascend."""
    return np.append(0, np.flatnonzero(docs[1:] != docs[:-1]) + 1)


def _is_among(docs: Docs, known: Docs) -> Flags:
    """Return for each document whether it is known; ``known`` ascends."""
    if not len(known):
        return np.zeros(len(docs), dtype=np.bool_)
    is_known: Flags = known[np.minimum(np.searchsorted(known, docs), len(known) - 1)] == docs
    return is_known
