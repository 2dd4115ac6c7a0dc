"""Measures over the ranks of relevant documents: average precision and its variants."""

import math

import numpy as np
from numpy.typing import NDArray

from trackside.measuring.counts import ratio
from trackside.measuring.family import Measure
from trackside.measuring.judged import JudgedRun, place_in_topic, sum_in_order

Values = NDArray[np.float64]


# trec_eval's minimum of a topic's value in a geometric mean, and its smoothing of inferred AP.
MIN_GEOMETRIC = 0.00001
_INFERRED_EPSILON = 0.00001
_ELEVEN_POINTS = tuple(point / 10 for point in range(11))


def average_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Sum of the precision at each relevant document, over the number of relevant ones (0 without any)."""
    level = measure.relevant_from
    return ratio(_precision_sum(judged, level, measure.cutoff), judged.judgments.relevant(level))


def geometric_average_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Average precision, at least 0.00001; its mean over topics is the geometric one."""
    return np.maximum(average_precision(judged, measure), MIN_GEOMETRIC)


def average_precision_at_r(judged: JudgedRun, measure: Measure) -> Values:
    """mAP@R: average precision cut at R, the number of relevant documents."""
    level = measure.relevant_from
    total = judged.judgments.relevant(level)
    return ratio(_precision_sum(judged, level, total[judged.topics]), total)


def reciprocal_rank(judged: JudgedRun, measure: Measure) -> Values:
    """1 over the rank of the first relevant document; 0 if none is in the first k."""
    best = best_rank(judged, measure)
    is_in = ~np.isnan(best) if measure.cutoff is None else best <= measure.cutoff
    return np.where(is_in, 1.0 / np.where(is_in, best, 1.0), 0.0)


def best_rank(judged: JudgedRun, measure: Measure) -> Values:
    """Rank of the first relevant document, from 1; undefined if none was retrieved."""
    mask = judged.grades >= measure.relevant_from
    first = np.full(judged.topic_count, np.inf)
    np.minimum.at(first, judged.topics[mask], judged.ranks[mask] + 1.0)
    return np.where(np.isinf(first), np.nan, first)


def mean_rank(judged: JudgedRun, measure: Measure) -> Values:
    """Mean rank of the relevant documents retrieved, from 1; undefined without any."""
    mask = judged.grades >= measure.relevant_from
    total = np.bincount(judged.topics[mask], weights=judged.ranks[mask] + 1.0, minlength=judged.topic_count)
    counts = judged.count(mask)
    return np.where(counts > 0, ratio(total, counts), np.nan)


def median_rank(judged: JudgedRun, measure: Measure) -> Values:
    """Median rank of the relevant documents retrieved, from 1; undefined without any."""
    mask = judged.grades >= measure.relevant_from
    counts, ranks = judged.count(mask), judged.ranks[mask] + 1.0
    starts = np.cumsum(counts) - counts
    values = np.full(judged.topic_count, np.nan)
    filled = counts > 0
    low, high = starts + (counts - 1) // 2, starts + counts // 2
    values[filled] = (ranks[low[filled]] + ranks[high[filled]]) / 2
    return values


def smoothed_average_precision(judged: JudgedRun, measure: Measure) -> Values:
    """YAAP: log of (1 + s) / (1 + R - s), s the sum behind average precision."""
    level = measure.relevant_from
    total = _precision_sum(judged, level, None)
    odds = (1.0 + total) / (1.0 + judged.judgments.relevant(level) - total)
    return np.array([math.log(value) for value in odds.tolist()])


def interpolated_precision(judged: JudgedRun, measure: Measure) -> Values:
    """The highest precision at or after the given share of the relevant documents."""
    return _interpolated(judged, measure.relevant_from, measure.fraction)


def eleven_points(judged: JudgedRun, measure: Measure) -> Values:
    """Mean interpolated precision at recall 0.0, 0.1, …, 1.0, or at the points given."""
    points = measure.points or _ELEVEN_POINTS
    total = np.zeros(judged.topic_count)
    for point in sorted(points, reverse=True):
        total += _interpolated(judged, measure.relevant_from, point)
    return total / len(points)


def binary_preference(judged: JudgedRun, measure: Measure) -> Values:
    """bpref: preference of relevant over judged non-relevant documents."""
    level = measure.relevant_from
    total, others = judged.judgments.relevant(level), judged.judgments.nonrelevant(level)
    is_relevant = judged.grades >= level
    is_other = (judged.grades >= 0) & ~is_relevant
    before = judged.running(is_other)[is_relevant]
    topics = judged.topics[is_relevant]
    bound = total[topics]
    share = ratio(np.minimum(before, bound), np.minimum(others[topics], bound))
    return ratio(sum_in_order(topics, 1.0 - share, judged.topic_count), total)


def geometric_binary_preference(judged: JudgedRun, measure: Measure) -> Values:
    """bpref, at least 0.00001; its mean over topics is the geometric one."""
    return np.maximum(binary_preference(judged, measure), MIN_GEOMETRIC)


def inferred_average_precision(judged: JudgedRun, measure: Measure) -> Values:
    """infAP: average precision from a random sample of the pool's judgments."""
    level = measure.relevant_from
    is_relevant = judged.grades >= level
    is_other = (judged.grades >= 0) & ~is_relevant
    rank = judged.ranks[is_relevant].astype(np.float64)
    above = (judged.counting(is_relevant) - 1).astype(np.float64)
    others = judged.running(is_other)[is_relevant]
    unseen = judged.running(judged.grades < 0)[is_relevant]
    pooled = ratio(above + others + unseen, rank)
    smoothed = (above + _INFERRED_EPSILON) / (above + others + 2 * _INFERRED_EPSILON)
    terms = 1.0 / (rank + 1.0) + (rank / (rank + 1.0)) * pooled * smoothed
    terms[rank == 0] = 1.0
    total = sum_in_order(judged.topics[is_relevant], terms, judged.topic_count)
    return ratio(total, judged.judgments.relevant(level))


def binary_gain(judged: JudgedRun, measure: Measure) -> Values:
    """binG: mean over relevant documents of 1 / log2(2 + number of non-relevant results before it)."""
    level = measure.relevant_from
    mask = judged.grades >= level
    before = judged.ranks[mask] - judged.counting(mask) + 3
    terms = np.array([1.0 / math.log2(value) for value in before.tolist()])
    total = sum_in_order(judged.topics[mask], terms, judged.topic_count)
    return ratio(total, judged.judgments.relevant(level))


def _precision_sum(judged: JudgedRun, level: int, cutoff: float | NDArray[np.int64] | None) -> Values:
    """Sum of the precision at each relevant document; ``cutoff`` is one for all or one per result."""
    mask = judged.grades >= level
    if cutoff is not None:
        mask &= judged.ranks < cutoff
    rows = np.flatnonzero(mask)
    topics = judged.topics[rows]
    precision = (place_in_topic(topics) + 1) / (judged.ranks[rows] + 1.0)
    return sum_in_order(topics, precision, judged.topic_count)


def _interpolated(judged: JudgedRun, level: int, recall: float) -> Values:
    mask = judged.grades >= level
    hits = judged.count(mask)
    # trec_eval 10 rounds to the next whole document; 9 added 0.9 and truncated.
    needed = (recall * judged.judgments.relevant(level) + 0.5).astype(np.int64)
    precision = judged.counting(mask) / (judged.ranks[mask] + 1.0)
    ends = np.cumsum(hits)
    values = np.zeros(judged.topic_count)
    reached = (needed <= hits) & (hits > 0)
    if reached.any():
        starts = (ends - hits + np.maximum(needed - 1, 0))[reached]
        spans = np.stack((starts, ends[reached]), axis=1).ravel()
        padded = np.append(precision, 0.0)
        values[reached] = np.maximum.reduceat(padded, spans)[::2]
    # trec_eval adds one ungraded result to a topic without results; a condensed list removes it again.
    is_emptied = (judged.retrieved == 0) & (judged.is_answered | judged.is_condensed)
    return np.where(is_emptied & (needed == 0), np.nan, values)
