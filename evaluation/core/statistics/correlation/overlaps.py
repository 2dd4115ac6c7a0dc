"""How many runs two rankings have in common in their first places, for many pairs of rankings at once.

Rank correlations count pairs of runs that two rankings order alike. These counts follow from overlaps of sets
of runs. A set is a row of bits, so that one operation counts 64 runs.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evaluation.core.arrays import Ints
from evaluation.core.statistics.ranks import Places

Sets = NDArray[np.uint64]


WORD = 64  # bits


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Rankings `one` and `other` of the same n runs, [row, run], and the sets of their first runs.

    ``by_one`` [row, k] is the set of the first k runs by `one`; the bits are in the order of `other`.
    ``lowest`` [k] is the set of the first k bits, which are the first k runs by `other`.
    """

    one: Places
    other: Places
    by_one: Sets
    lowest: Sets

    @classmethod
    def of(cls, one: Places, other: Places) -> Self:
        """Build the sets of the first runs."""
        rows, n = one.order.shape
        bits = np.empty_like(other.order)
        np.put_along_axis(bits, other.order, np.broadcast_to(np.arange(n), bits.shape), axis=1)
        lowest = np.zeros((n + 1, -(-n // WORD)), dtype=np.uint64)
        lowest[np.arange(1, n + 1), np.arange(n) // WORD] = _bit(np.arange(n))
        by_one = np.zeros((rows, *lowest.shape), dtype=np.uint64)
        added = np.take_along_axis(bits, one.order, axis=1)
        by_one[np.arange(rows)[:, None], np.arange(1, n + 1), added // WORD] = _bit(added)
        for sets in (lowest[None], by_one):
            np.bitwise_or.accumulate(sets, axis=1, out=sets)
        return cls(one, other, by_one, lowest)

    def lower_in_both(self) -> Ints:
        """Count the runs that are below each run in both rankings, [row, run]."""
        return self._count(self.one.before, self.other.before)

    def lower_in_one(self) -> Ints:
        """Count the runs that are below each run by `one` and above it by `other`, [row, run]."""
        return self.one.before - self._count(self.one.before, self.other.through)

    def _count(self, first_by_one: Ints, first_by_other: Ints) -> Ints:
        """Count the runs among the first runs of both rankings, given how many of each, [row, run]."""
        sets = np.take_along_axis(self.by_one, first_by_one[:, :, None], axis=1)
        sets &= self.lowest[first_by_other]
        counts: Ints = np.bitwise_count(sets).sum(axis=2, dtype=np.int64)
        return counts


def _bit(places: Ints) -> Sets:
    """The word in which only this place's bit is set; places continue from word to word of a set."""
    bit: Sets = np.uint64(1) << (places % WORD).astype(np.uint64)
    return bit
