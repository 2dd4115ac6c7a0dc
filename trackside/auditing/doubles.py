"""Equal and nearly equal texts and pictures among many, by hashes of fixed size."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Ints

Hashes = NDArray[np.uint64]

PERMUTATIONS = 64
IN_A_BAND = 2  # of 32 bands: texts that share .7 of their shingles meet in one but for 1 in a billion
LEAST_EQUAL = 45  # of 64: texts that share .8 reach it in 98 of 100, those that share .5 in 1 of 1,000
MOST_BITS = 4  # by which near-duplicate pictures differ, of 64
MOST_IN_A_BUCKET = 100  # a larger bucket is compared with its first row only, so that time stays linear
_SEEDS = np.random.default_rng(20_261_129)
_FACTORS = _SEEDS.integers(0, 2**63, PERMUTATIONS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def signatures(shingles: Hashes, starts: Ints) -> NDArray[np.uint32]:
    """Return the minima of each text's shingles under 64 permutations, (texts, 64).

    ``shingles`` are hashes of all texts one after another; text i has those from ``starts[i]``, at least one.
    See Broder, "On the resemblance and containment of documents" (1997).
    """
    minima = np.empty((len(starts), PERMUTATIONS), dtype=np.uint32)
    for column, factor in enumerate(_FACTORS):
        permuted = ((shingles * factor) >> np.uint64(32)).astype(np.uint32)
        minima[:, column] = np.minimum.reduceat(permuted, starts)
    return minima


def near_texts(minima: NDArray[np.uint32]) -> Iterator[tuple[int, int]]:
    """Yield each row with an earlier one that has at least 45 of its 64 minima, the earlier one first."""
    bands = (
        minima[:, start].astype(np.uint64) << np.uint64(32) | minima[:, start + 1]
        for start in range(0, PERMUTATIONS, IN_A_BAND)
    )
    yield from _first(
        (first, second)
        for first, second in _meetings(bands)
        if np.count_nonzero(minima[first] == minima[second]) >= LEAST_EQUAL
    )


def near_pictures(
    hashes: Hashes, is_like: Callable[[int, int], bool] = lambda _first, _second: True
) -> Iterator[tuple[int, int]]:
    """Yield each row with an earlier one whose 64 bits differ in at most 4, the earlier one first.

    Of five parts of the bits at least one is equal then. ``is_like`` may refuse a pair by what else is known.
    """
    shifts = np.arange(0, 64, 13, dtype=np.uint64)
    bands = ((hashes >> shift) & np.uint64(2**13 - 1) for shift in shifts)
    yield from _first(
        (first, second)
        for first, second in _meetings(bands)
        if int(hashes[first] ^ hashes[second]).bit_count() <= MOST_BITS and is_like(first, second)
    )


def equal_rows(keys: Hashes) -> Iterator[list[int]]:
    """Yield the rows of each key that several rows have."""
    order = np.argsort(keys, kind="stable")
    edges = np.flatnonzero(np.diff(keys[order])) + 1
    starts, ends = np.concatenate(([0], edges)), np.concatenate((edges, [len(keys)]))
    for place in np.flatnonzero(ends - starts > 1):
        yield order[starts[place] : ends[place]].tolist()


def _meetings(bands: Iterable[Hashes]) -> Iterator[tuple[int, int]]:
    """Yield pairs of rows that are equal in a band."""
    for band in bands:
        for rows in equal_rows(band):
            firsts = rows if len(rows) <= MOST_IN_A_BUCKET else rows[:1]
            for at, first in enumerate(firsts):
                yield from ((first, second) for second in rows[at + 1 :])


def _first(pairs: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the first pair of each later row: as many pairs as rows that repeat an earlier one."""
    seen: set[int] = set()
    for first, second in pairs:
        if second not in seen:
            seen.add(second)
            yield first, second
