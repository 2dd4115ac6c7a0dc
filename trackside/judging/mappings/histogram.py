"""The histogram of a judge's raw scores."""

import numpy as np
from numpy.typing import ArrayLike

from trackside.judging.mappings.mapping import finite

BINS = 40


def histogram(scores: ArrayLike) -> list[tuple[str, int]]:
    """Return the range and the count of BINS bins of equal width, from the lowest to the highest score.

    One bin for each distinct score if there are at most BINS of them. Scores must be finite.
    """
    values = finite(scores)
    distinct, counts = np.unique(values, return_counts=True)
    if distinct.size <= BINS:
        return [(f"{score:.4g}", int(count)) for score, count in zip(distinct, counts, strict=True)]
    counts, edges = np.histogram(values, BINS)
    ends = [f"{edge:.4g}" for edge in edges]
    return [
        (f"{low} to {high}", int(count)) for low, high, count in zip(ends[:-1], ends[1:], counts, strict=True)
    ]
