"""The grades of people and a judge side by side, counted topic by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.arrays import Ints
    from evaluation.core.report.study import Study


def topic_matrices(study: Study, judge: int, pairs: Ints | None = None) -> Ints:
    """A confusion matrix a topic, [topic, people's grade, judge's grade], of the pairs that both graded.

    ``pairs`` names some of these.
    """
    scale = np.array(study.design.scale)
    chosen = study.shared_pairs(PEOPLE, judge) if pairs is None else pairs
    size = scale.size
    people, own = (np.searchsorted(scale, study.grades[place][chosen]) for place in (PEOPLE, judge))
    cells = (study.topic_of_pair[chosen] * size + people) * size + own
    counts = np.bincount(cells, minlength=len(study.topics) * size**2)
    return counts.reshape(-1, size, size).astype(np.int64)
