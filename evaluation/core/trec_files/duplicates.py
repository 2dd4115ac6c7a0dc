"""Repeated pairs of topic and docno."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


_ROWS_AT_ONCE = 1 << 13  # sorting so few takes place in a processor's cache


def may_repeat(topics: NDArray[np.int64], docno_hashes: NDArray[np.uint64]) -> bool:
    """Whether a pair may be repeated; False is certain. Comparing the pairs themselves takes far longer.

    ``topics`` are ascending numbers, ``docno_hashes`` 64-bit hashes, one entry per row each.
    """
    keys = topics.astype(np.uint64)
    keys <<= np.uint64(32)
    keys ^= docno_hashes
    # Parts of whole topics: a pair is repeated within one of them.
    edges = np.unique(np.searchsorted(topics, topics[::_ROWS_AT_ONCE]))
    for part in np.split(keys, edges[1:]):
        part.sort()
        if (part[1:] == part[:-1]).any():
            return True
    return False
