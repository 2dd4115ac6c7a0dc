"""Preview of a mapping before it is frozen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.judging.mappings.mapping import QuantileMapping, finite, fit_paper_2024

BINS = 40


@dataclass(frozen=True, slots=True)
class MappingPreview:
    """Thresholds, the number of pairs each grade would get, and how coarse the scores are.

    ``tied_counts`` are the pairs whose score equals the lower and the upper threshold: one more or one less
    pair could move all of them to another grade.
    """

    mapping: QuantileMapping
    grade_counts: tuple[int, int, int]
    distinct_count: int
    tied_counts: tuple[int, int]


def preview_paper_2024(scores: ArrayLike) -> MappingPreview:
    """Fit `paper-2024` and count its grades. Raises NothingToMap without scores."""
    values = finite(scores)
    mapping = fit_paper_2024(values)
    none, related, relevant = np.bincount(mapping.grades(values), minlength=3).tolist()
    lower, upper = (int(np.count_nonzero(values == threshold)) for threshold in mapping.thresholds)
    return MappingPreview(mapping, (none, related, relevant), np.unique(values).size, (lower, upper))


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
