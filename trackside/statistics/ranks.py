"""Ranks of values, and the definition of a tie."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints

TIE = 1e-9
"""Means closer than this are equal: the same topics summed in another order differ by about 1e-16."""


def mid_ranks(values: ArrayLike, *, tie: float = TIE) -> Floats:
    """Ascending ranks from 1 along the last axis; tied values share the mean of their ranks.

    Neighbours in value order that differ by less than `tie` are tied, so a tie is transitive and every
    statistic built on these ranks agrees on it. `tie=0.0` ties only equal floats. Values are finite.
    """
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    steps = np.diff(np.take_along_axis(array, order, axis=-1), axis=-1)
    is_first, is_last = np.ones((2, *array.shape), dtype=np.bool_)
    is_first[..., 1:] = is_last[..., :-1] = (steps >= tie) & (steps > 0)
    indices = np.arange(array.shape[-1])
    first = np.maximum.accumulate(np.where(is_first, indices, 0), axis=-1)
    after = np.where(is_last, indices + 1, array.shape[-1])
    last = np.minimum.accumulate(after[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(array.shape)
    np.put_along_axis(ranks, order, (first + last + 1) / 2, axis=-1)
    return ranks


def run_ranks(values: Mapping[str, float]) -> dict[str, int]:
    """Rank of each run from 1 for the best, in order of rank; equal values are ordered by run tag."""
    tags = sorted(values)
    heights = mid_ranks([values[tag] for tag in tags])
    ordered = sorted(range(len(tags)), key=lambda index: (-heights[index], tags[index]))
    return {tags[index]: rank for rank, index in enumerate(ordered, start=1)}


def most_common_counts(values: Floats, *, tie: float = 0.0) -> Ints:
    """Count of the most common value on the last axis; neighbours up to ``tie`` apart are equal, NaN none."""
    ordered = np.sort(values, axis=-1)
    indices = np.arange(values.shape[-1])
    is_new = np.diff(ordered, axis=-1, prepend=-np.inf) > tie
    first = np.maximum.accumulate(np.where(is_new, indices, 0), axis=-1)
    counts: Ints = np.where(np.isnan(ordered), 0, indices - first + 1).max(axis=-1, initial=0)
    return counts
