"""Ranks of values, and the definition of a tie."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Flags, Floats, Ints

TIE = 1e-9
"""Means closer than this are equal: the same topics summed in another order differ by about 1e-16."""


@dataclass(frozen=True, slots=True)
class Places:
    """Places of n values along the last axis in ascending order; tied values share theirs.

    ``before`` counts the values below each one, ``through`` those that are not above it; they differ by the
    number of values that are tied with it, itself included. ``order`` lists the values from the least.
    """

    order: Ints
    before: Ints
    through: Ints

    @classmethod
    def of(cls, values: ArrayLike, *, tie: float = TIE) -> Self:
        """Place the values, which are finite. Ties are those of `mid_ranks`."""
        array = np.asarray(values, dtype=np.float64)
        order = np.argsort(array, axis=-1, kind="stable")
        steps = np.diff(np.take_along_axis(array, order, axis=-1), axis=-1)
        is_new = np.ones(array.shape, dtype=np.bool_)
        is_new[..., 1:] = (steps >= tie) & (steps > 0)
        places = np.arange(array.shape[-1])
        first = np.maximum.accumulate(np.where(is_new, places, 0), axis=-1)
        is_last = np.ones(array.shape, dtype=np.bool_)
        is_last[..., :-1] = is_new[..., 1:]
        after = np.where(is_last, places + 1, array.shape[-1])
        last = np.minimum.accumulate(after[..., ::-1], axis=-1)[..., ::-1]
        before, through = np.empty_like(order), np.empty_like(order)
        np.put_along_axis(before, order, first, axis=-1)
        np.put_along_axis(through, order, last, axis=-1)
        return cls(order, before, through)

    @property
    def tied(self) -> Ints:
        """Number of values with the same place as each one, itself included."""
        return self.through - self.before

    @property
    def has_ties(self) -> Flags:
        """Whether some values of a row share a place."""
        return np.asarray((self.tied > 1).any(axis=-1))

    @property
    def is_varied(self) -> Flags:
        """Whether the values of a row do not all share one place."""
        return np.asarray((self.before > 0).any(axis=-1))


def mid_ranks(values: ArrayLike, *, tie: float = TIE) -> Floats:
    """Ascending ranks from 1 along the last axis; tied values share the mean of their ranks.

    Neighbours in value order that differ by less than `tie` are tied, so a tie is transitive and every
    statistic built on these ranks agrees on it. `tie=0.0` ties only equal floats. Values are finite.
    """
    places = Places.of(values, tie=tie)
    ranks: Floats = (places.before + places.through + 1) / 2
    return ranks


def run_ranks(values: Mapping[str, float]) -> dict[str, int]:
    """Rank of each run from 1 for the best, in order of rank; equal values are ordered by run tag."""
    tags = sorted(values)
    heights = mid_ranks([values[tag] for tag in tags])
    ordered = sorted(range(len(tags)), key=lambda place: (-heights[place], tags[place]))
    return {tags[place]: rank for rank, place in enumerate(ordered, start=1)}
