"""Count pools of many runs at many depths from numbers that stand for documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from evaluation.core.arrays import Ints

    Docs = NDArray[np.uint64]


@dataclass
class DepthCounts:
    """Counts of the pool of one depth for all runs: items, new and unique ones, by topic and in total."""

    sizes: list[int] = field(default_factory=list)
    new_count: int = 0
    unique_count: int = 0
    slot_count: int = 0


@dataclass
class HeadCounts:
    """Counts of pools over topics that are added one at a time.

    ``depths`` are the depths to count for all runs alike. ``own`` has the depth of each run, ``teams`` has
    the number of its team, from 0. ``run_uniques`` and ``team_uniques`` count the items that only one run, or
    one team, has at the runs' own depths.
    """

    depths: Sequence[int]
    own: Ints
    teams: Ints

    def __post_init__(self) -> None:
        self.by_depth = {depth: DepthCounts() for depth in self.depths}
        self.run_uniques = np.zeros(len(self.own), dtype=np.int64)
        self.team_uniques = np.zeros(self.teams.max(initial=-1) + 1, dtype=np.int64)
        self.found = {"empty": 0, "bare": 0}

    def add_topic(self, heads: Sequence[Docs], runs: Ints, pooled: Docs, lacking: dict[str, Docs]) -> None:
        """Count the documents of one topic.

        ``heads`` are the first documents of each run, best first, and ``runs`` the numbers of these runs.
        ``pooled`` are the documents that are pooled already; ``lacking`` names sets of documents to
        find in the pool at the runs' own depths.
        """
        lengths = np.array([len(head) for head in heads], dtype=np.int64)
        docs, ranks = np.concatenate(heads), np.concatenate([np.arange(1, n + 1) for n in lengths])
        run = np.repeat(runs, lengths)
        order = np.lexsort((ranks, docs))
        docs, ranks, run = docs[order], ranks[order], run[order]
        starts = np.flatnonzero(np.append(True, docs[1:] != docs[:-1]))
        self._count_depths(docs, ranks, starts, lengths, pooled)
        in_own = ranks <= self.own[run]
        self._count_own(docs[in_own], run[in_own], lacking)

    def _count_depths(self, docs: Docs, ranks: Ints, starts: Ints, lengths: Ints, pooled: Docs) -> None:
        least = ranks[starts]
        ends = np.append(starts[1:], len(docs))
        is_shared = ends - starts > 1
        following = np.where(is_shared, ranks[np.minimum(starts + 1, len(ranks) - 1)], np.iinfo(np.int64).max)
        is_new = ~np.isin(docs[starts], pooled)
        for depth, counts in self.by_depth.items():
            is_in = least <= depth
            counts.sizes.append(int(is_in.sum()))
            counts.new_count += int((is_in & is_new).sum())
            counts.unique_count += int((is_in & (following > depth)).sum())
            counts.slot_count += int(np.minimum(lengths, depth).sum())

    def _count_own(self, docs: Docs, run: Ints, lacking: dict[str, Docs]) -> None:
        if not len(docs):
            return
        starts = np.flatnonzero(np.append(True, docs[1:] != docs[:-1]))
        counts = np.diff(np.append(starts, len(docs)))
        self.run_uniques += np.bincount(run[starts[counts == 1]], minlength=len(self.run_uniques))
        team = self.teams[run]
        first, last = np.minimum.reduceat(team, starts), np.maximum.reduceat(team, starts)
        self.team_uniques += np.bincount(first[first == last], minlength=len(self.team_uniques))
        for name, documents in lacking.items():
            self.found[name] += int(np.isin(docs[starts], documents).sum())
