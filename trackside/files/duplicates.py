"""Repeated pairs of topic and docno."""

import numpy as np
from numpy.typing import NDArray

from trackside.files.text_columns import TextColumn

_ROWS_AT_ONCE = 1 << 13  # their cells fit into a processor's cache
_MOST_BITS = 22  # of the number of a cell: 16 MB of cells
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def may_repeat_docnos(topics: NDArray[np.int64], docnos: TextColumn) -> bool:
    """Whether a docno may be repeated within a topic; False is certain. ``topics`` are ascending numbers."""
    return all(may_repeat(topics, docnos.keys(attempt)) for attempt in range(2))


def may_repeat(topics: NDArray[np.int64], docno_hashes: NDArray[np.uint64]) -> bool:
    """Whether a pair may be repeated; False is certain. Comparing the pairs themselves takes far longer.

    ``topics`` are ascending numbers, ``docno_hashes`` 64-bit hashes, one entry per row each.
    """
    # Parts of whole topics: a pair is repeated within one of them.
    edges = np.searchsorted(topics, topics[_ROWS_AT_ONCE::_ROWS_AT_ONCE])
    parts = zip(np.split(topics, edges), np.split(docno_hashes, edges), strict=True)
    return any(_is_repeated((part.astype(np.uint64) << np.uint64(32)) ^ hashes) for part, hashes in parts)


def _is_repeated(keys: NDArray[np.uint64]) -> bool:
    """Whether a key occurs twice. Each is written to a cell; only those that are overwritten are sorted."""
    bits = min(len(keys).bit_length() + 2, _MOST_BITS)
    cells = ((keys * _MULTIPLIER) >> np.uint64(64 - bits)).view(np.int64)
    rows = np.arange(len(keys), dtype=np.int32)
    row_in_cell = np.empty(1 << bits, np.int32)
    row_in_cell[cells] = rows
    winners = row_in_cell[cells]
    lost = np.flatnonzero(winners != rows)
    rest = np.sort(keys[lost])
    return bool((keys[winners[lost]] == keys[lost]).any() or (rest[1:] == rest[:-1]).any())
