"""Repeated pairs of topic and docno."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def may_repeat(topics: NDArray[np.int64], docno_hashes: NDArray[np.uint64]) -> bool:
    """Whether a pair may be repeated; False is certain. Comparing the pairs themselves takes far longer.

    ``topics`` are numbers, ``docno_hashes`` 64-bit hashes, one entry per row each.
    """
    keys = topics.astype(np.uint64)
    keys <<= np.uint64(32)
    keys ^= docno_hashes
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())
