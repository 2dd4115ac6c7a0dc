"""Areas under the precision-recall and ROC curves with each topic left out once, for `jackknife_interval`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Flags, Floats, Ints

BLOCK = 4_000_000
"""Items times topics in memory at a time; bounds the memory at about 200 MB."""


@dataclass(frozen=True, slots=True)
class AreasWithoutEach:
    """One entry per topic; NaN if the remaining items are all relevant or none is."""

    average_precision: Floats
    roc_area: Floats


def areas_without_each(is_relevant: Floats, scores: Floats, topic_of_item: Ints) -> AreasWithoutEach:
    """Both areas, as defined in `classification`, over the items of all topics but one.

    `is_relevant` (0 or 1), `scores` and `topic_of_item` have one entry per item. Tied scores are one step.
    """
    order = np.argsort(-scores, kind="stable")
    truth = is_relevant[order].astype(np.float64)
    _, topics = np.unique(topic_of_item, return_inverse=True)
    ordered, count = topics[order], int(topics.max(initial=-1)) + 1
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, [True] * bool(scores.size)))
    size = max(1, BLOCK // max(scores.size, 1))
    parts = [
        _areas(truth, ordered[None] != np.arange(at, min(at + size, count))[:, None], last)
        for at in range(0, count, size)
    ]
    precision, roc = zip(*parts, strict=True) if parts else ((np.empty(0),), (np.empty(0),))
    return AreasWithoutEach(np.concatenate(precision), np.concatenate(roc))


def _areas(truth: Floats, is_included: Flags, last: Ints) -> tuple[Floats, Floats]:
    """Average precision and ROC area over the included items of each row, in order of score."""
    right = np.cumsum(is_included * truth, axis=1)[:, last]
    found = np.cumsum(is_included, axis=1)[:, last]
    wrong = found - right
    steps = np.diff(right, prepend=0.0, axis=1)
    precision = np.divide(right, found, out=np.zeros_like(right), where=found > 0)
    relevant, other = right[:, -1], wrong[:, -1]
    heights = right - steps / 2
    over = np.diff(wrong, prepend=0.0, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        average = np.where(relevant > 0, (steps * precision).sum(axis=1) / relevant, np.nan)
        roc = np.where((relevant > 0) & (other > 0), (over * heights).sum(axis=1) / relevant / other, np.nan)
    return average, roc
