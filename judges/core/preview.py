"""What a mapping would do, shown before it is frozen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judges.core.mapping import QuantileMapping, finite, fit_paper_2024


@dataclass(frozen=True, slots=True)
class Preview:
    """Thresholds, the number of pairs each grade would get, and how coarse the scores are.

    ``tied_counts`` are the pairs whose score equals the lower and the upper threshold: one more or less could
    move all of them to another grade.
    """

    mapping: QuantileMapping
    grade_counts: tuple[int, int, int]
    distinct_count: int
    tied_counts: tuple[int, int]


def preview_paper_2024(scores: ArrayLike) -> Preview:
    """Fit `paper-2024` and count its grades. Raises NothingToMap without scores."""
    values = finite(scores)
    mapping = fit_paper_2024(values)
    none, related, relevant = np.bincount(mapping.grades(values), minlength=3).tolist()
    lower, upper = (int(np.count_nonzero(values == threshold)) for threshold in mapping.thresholds)
    return Preview(mapping, (none, related, relevant), np.unique(values).size, (lower, upper))
