"""Areas and rates of a judge's raw scores against people's binary relevance, for many resamples of topics.

The definitions are those of `classification`; a resample weights each item by the draws of its topic.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Flags, Floats, Ints, ratio_or_nan
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.statistics.raw_scores.classification import (
    average_precision,
    recall_at_false_rate,
    roc_area,
    thresholds,
)

STEPS = 400
"""Most scores at which items are counted; a larger number is reduced, with an error of about 0.001."""

BLOCK = 4_000_000
"""Weights in memory at a time; bounds the memory at about 100 MB."""


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """Counts of the items of each topic at or above each distinct score of relevant items, from the highest.

    Arrays are [score, topic]: relevant items, others, and others with a strictly higher score.
    """

    right: Floats
    wrong: Floats
    above: Floats
    relevant: Ints
    other: Ints


@dataclass(frozen=True, slots=True)
class Areas:
    """One value per resample; NaN if a class is missing. ``recalls`` are at each of the false rates."""

    precision_recall: Floats
    roc: Floats
    recalls: Floats


def score_curve(is_relevant: Flags, scores: Floats, topics: Ints, topic_count: int) -> ScoreCurve:
    """Count the items by score and topic; the counts serve all resamples."""
    steps = np.unique(scores[is_relevant])[::-1]
    if steps.size > STEPS:
        steps = steps[np.linspace(0, steps.size - 1, STEPS).astype(np.int64)]
    at_least = np.searchsorted(-steps, -scores, side="left")  # the first step that the item reaches
    beyond = np.searchsorted(-steps, -scores, side="right")  # the first step that it is strictly above
    return ScoreCurve(
        _reached(at_least[is_relevant], topics[is_relevant], steps.size, topic_count),
        _reached(at_least[~is_relevant], topics[~is_relevant], steps.size, topic_count),
        _reached(beyond[~is_relevant], topics[~is_relevant], steps.size, topic_count),
        np.bincount(topics[is_relevant], minlength=topic_count),
        np.bincount(topics[~is_relevant], minlength=topic_count),
    )


def areas(curve: ScoreCurve, counts: Ints, false_rates: tuple[float, ...]) -> Areas:
    """Average precision, area under the ROC curve, and recall at these false positive rates.

    ``counts`` is the weight of each topic, [resample, topic].
    """
    size = max(1, BLOCK // max(len(curve.right), 1))
    parts = [_areas(curve, counts[at : at + size], false_rates) for at in range(0, len(counts), size)]
    return Areas(
        np.concatenate([part.precision_recall for part in parts]),
        np.concatenate([part.roc for part in parts]),
        np.concatenate([part.recalls for part in parts]),
    )


def areas_over_topics(
    is_relevant: Flags, scores: Floats, topics: Ints, false_rates: tuple[float, ...]
) -> list[tuple[Estimate, Floats]]:
    """Both areas, then recall at each false positive rate, each with its values without each topic."""
    curve = thresholds(is_relevant, scores)
    estimates = [average_precision(curve), roc_area(curve)]
    estimates += [recall_at_false_rate(curve, rate) for rate in false_rates]
    names, places = np.unique(topics, return_inverse=True)
    without_each = 1 - np.eye(names.size, dtype=np.int64)
    found = areas(score_curve(is_relevant, scores, places, names.size), without_each, false_rates)
    return list(zip(estimates, (found.precision_recall, found.roc, *found.recalls.T), strict=True))


def _areas(curve: ScoreCurve, counts: Ints, false_rates: tuple[float, ...]) -> Areas:
    weights = counts.astype(np.float64)
    right, wrong, above = (weights @ each.T for each in (curve.right, curve.wrong, curve.above))
    relevant, other = weights @ curve.relevant, weights @ curve.other
    if not right.shape[1]:
        nothing = np.full(len(weights), np.nan)
        return Areas(nothing, nothing, np.full((len(weights), len(false_rates)), np.nan))
    new = np.diff(right, axis=1, prepend=0.0)
    precision = np.divide(right, right + wrong, out=np.zeros_like(right), where=right + wrong > 0)
    found = [np.where(wrong <= rate * other[:, None] + 1e-9, right, 0.0).max(axis=1) for rate in false_rates]
    return Areas(
        ratio_or_nan((new * precision).sum(axis=1), relevant),
        ratio_or_nan((new * (other[:, None] - (wrong + above) / 2)).sum(axis=1), relevant * other),
        np.stack([np.where(other > 0, ratio_or_nan(each, relevant), np.nan) for each in found], axis=1),
    )


def _reached(first: Ints, topics: Ints, steps: int, topic_count: int) -> Floats:
    """Count the items of each topic that reach each step, given the first step that each item reaches."""
    counts = np.zeros((steps + 1, topic_count))
    np.add.at(counts, (first, topics), 1.0)
    reached: Floats = np.cumsum(counts, axis=0)[:steps]
    return reached
