"""Confusion matrices of people's and a judge's grades, one for each topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.arrays import Ints
    from evaluation.core.report.study import Study


def topic_matrices(study: Study, judge: int, pairs: Ints | None = None) -> Ints:
    """Confusion matrix of each topic, [topic, people's grade, judge's grade], of the pairs that both graded.

    ``pairs`` restricts them to these indices; None uses all.
    """
    return topic_matrices_of(study, PEOPLE, judge, pairs)


def topic_matrices_of(study: Study, one: int, other: int, pairs: Ints | None = None) -> Ints:
    """Confusion matrix of each topic for any two sets, [topic, grade of one, grade of the other]."""
    scale = np.array(study.design.scale)
    chosen = study.shared_pairs(one, other) if pairs is None else pairs
    size = scale.size
    first, second = (np.searchsorted(scale, study.grades[place][chosen]) for place in (one, other))
    cells = (study.topic_of_pair[chosen] * size + first) * size + second
    counts = np.bincount(cells, minlength=len(study.topics) * size**2)
    return counts.reshape(-1, size, size).astype(np.int64)
