"""Measures over graded gains: nDCG and its variants, ERR, RBP."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from trackside.measuring.counts import ratio
from trackside.measuring.family import Measure
from trackside.measuring.judged import (
    JudgedRun,
    Judgments,
    Ranked,
    first_in_topic,
    gain_of,
    log2_of_rank,
    place_in_topic,
    sum_in_order,
)

Values = NDArray[np.float64]


_HIGHEST_POWER = 1000


def ndcg(judged: JudgedRun, measure: Measure) -> Values:
    """Discounted cumulative gain over the best possible one; 0 when no document has a gain."""
    best = judged.judgments.ideal_dcg(gains_of(judged.judgments, measure), _cutoff(measure))
    return ratio(dcg(judged, measure), best)


def dcg(judged: JudgedRun, measure: Measure) -> Values:
    """Sum of gain / log2(rank + 1)."""
    return judged.gained(gains_of(judged.judgments, measure), _cutoff(measure)).dcg()


def ideal_dcg(judged: JudgedRun, measure: Measure) -> Values:
    """DCG of the ideal ranking of all judged documents, retrieved or not."""
    return judged.judgments.ideal_dcg(gains_of(judged.judgments, measure), _cutoff(measure)).copy()


def ndcg_at_relevant(judged: JudgedRun, measure: Measure) -> Values:
    """Mean nDCG over the ranks of the documents with a gain; missed documents count as at the last rank."""
    gains = gains_of(judged.judgments, measure)
    results, ideal = judged.gained(gains), judged.judgments.ideal(gains)
    run_dcg, best_dcg = _running_dcg(results), _running_dcg(ideal)
    ideal_count = np.bincount(ideal.topics, minlength=judged.topic_count)
    ideal_starts = np.cumsum(ideal_count) - ideal_count
    is_counted = (results.gains > 0) & (ideal_count[results.topics] > 0)
    topics = results.topics[is_counted]
    best_at = ideal_starts[topics] + np.minimum(results.ranks[is_counted], ideal_count[topics] - 1)
    reached = sum_in_order(topics, run_dcg[is_counted] / best_dcg[best_at], judged.topic_count)
    missed = ideal_count - np.bincount(topics, minlength=judged.topic_count)
    return np.maximum(ratio(reached + ratio(missed * results.dcg(), ideal.dcg()), ideal_count), 0.0)


def ndcg_at_grades(judged: JudgedRun, measure: Measure) -> Values:
    """Rndcg (trec_eval): mean nDCG over the ranks where the ideal list changes its gain, and at its end.

    Undefined where documents are relevant but none has a gain.
    """
    gains = gains_of(judged.judgments, measure)
    results, ideal = judged.gained(gains), judged.judgments.ideal(gains)
    ideal_count = np.bincount(ideal.topics, minlength=judged.topic_count)
    total = np.zeros(judged.topic_count)
    steps = np.zeros(judged.topic_count)
    for gain in np.unique(ideal.gains)[::-1]:
        ends = np.bincount(ideal.topics[ideal.gains >= gain], minlength=judged.topic_count)
        is_step = np.bincount(ideal.topics[ideal.gains == gain], minlength=judged.topic_count) > 0
        total += np.where(is_step, ratio(results.dcg(ends), ideal.dcg(ends)), 0.0)
        steps += is_step
    # trec_eval uses the whole list only if it is more than one result longer than the ideal list.
    is_longer = (judged.retrieved > ideal_count + 1) & (ideal_count > 0)
    total += np.where(is_longer, ratio(results.dcg(), ideal.dcg()), 0.0)
    steps += is_longer
    has_relevant = judged.judgments.relevant(measure.relevant_from) > 0
    return np.where(has_relevant & (steps == 0), np.nan, np.where(has_relevant, ratio(total, steps), 0.0))


def normalised_gain(judged: JudgedRun, measure: Measure) -> Values:
    """G: sum of gain / log2(2 + ideal cost - gain so far) over the sum of gains (trec_eval, experimental)."""
    gains = gains_of(judged.judgments, measure)
    results, ideal = judged.gained(gains), judged.judgments.ideal(gains)
    ideal_count = np.bincount(ideal.topics, minlength=judged.topic_count)
    ends = np.concatenate(([0.0], np.cumsum(np.maximum(ideal.gains, 1.0) - 1.0)))
    starts = np.cumsum(ideal_count) - ideal_count
    within = np.minimum(results.ranks + 1, ideal_count[results.topics])
    surplus = ends[starts[results.topics] + within] - ends[starts[results.topics]]
    cost = results.ranks + 1 + surplus
    so_far = np.cumsum(results.gains)
    before = (so_far - results.gains)[first_in_topic(results.topics)]
    # No run gains more than the ideal list, so this is at least 2 except for rounding of huge gains.
    arguments = np.maximum(2 + cost - (so_far - before), 2.0)
    logs = [math.log2(value) for value in arguments.tolist()]
    total = sum_in_order(results.topics, results.gains / np.array(logs), judged.topic_count)
    return ratio(total, sum_in_order(ideal.topics, ideal.gains, judged.topic_count))


def expected_reciprocal_rank(judged: JudgedRun, measure: Measure) -> Values:
    """ERR: a grade g stops a reader with probability (2^g - 1) / 2^max.

    ``max`` is the highest grade of the scale: 4 by default, as in gdeval and ir_measures, regardless of the
    grades in the qrels. A grade above it stops every reader.
    """
    highest = measure.option("max")
    mask = judged.grades > 0
    if measure.cutoff is not None:
        mask &= judged.ranks < measure.cutoff
    topics, ranks = judged.topics[mask], judged.ranks[mask]
    stop = np.minimum(_exponential(judged.grades[mask]) / 2.0**highest, 1.0)
    values = np.zeros(judged.topic_count)
    bounds = np.searchsorted(topics, np.arange(judged.topic_count + 1))
    for topic in np.unique(topics).tolist():
        rows = slice(int(bounds[topic]), int(bounds[topic + 1]))
        going_on = np.concatenate(([1.0], np.cumprod(1.0 - stop[rows])[:-1]))
        values[topic] = float((going_on * stop[rows] / (ranks[rows] + 1.0)).sum())
    return values


def rank_biased_precision(judged: JudgedRun, measure: Measure) -> Values:
    """RBP: (1 - p) times the sum of gain · p^(rank - 1), gains from 0 to 1.

    Gains are grades over the highest grade in the qrels, 0 or 1 with a relevance level, or the gains given
    (divided by the highest if it exceeds 1). trec_eval 10's own rbp reads uninitialised memory.
    """
    gain = _gains_to_one(judged, measure)
    mask = gain > 0
    if measure.cutoff is not None:
        mask &= judged.ranks < measure.cutoff
    p = measure.option("p")
    terms = gain[mask] * p ** judged.ranks[mask]
    return (1.0 - p) * sum_in_order(judged.topics[mask], terms, judged.topic_count)


def rank_biased_residual(judged: JudgedRun, measure: Measure) -> Values:
    """The most that RBP can still gain: the weight of all ungraded ranks, including those past the end."""
    p = measure.option("p")
    mask = judged.grades >= 0
    known = sum_in_order(judged.topics[mask], p ** judged.ranks[mask].astype(np.float64), judged.topic_count)
    return 1.0 - (1.0 - p) * known


def rank_biased_unjudged(judged: JudgedRun, measure: Measure) -> Values:
    """trec_eval's rbp_resid: the residual, but 0 for a topic whose results all have a grade."""
    p = measure.option("p")
    ends = np.cumsum(judged.retrieved)
    topics = np.repeat(np.arange(judged.topic_count), judged.retrieved)
    # Powers by repeated multiplication, so that the last digit matches.
    powers = np.full(judged.retrieved.max(initial=0) + 1, p)
    powers[0] = 1.0
    powers = np.multiply.accumulate(powers)
    weights = powers[place_in_topic(topics)]
    is_graded = judged.grades >= 0
    graded = judged.topics[is_graded]
    weights[(ends - judged.retrieved)[graded] + judged.ranks[is_graded]] = 0.0
    total = sum_in_order(topics, weights, judged.topic_count)
    has_ungraded = judged.retrieved > judged.count(is_graded)
    return np.where(has_ungraded, powers[judged.retrieved] + (1.0 - p) * total, 0.0)


def gains_of(judgments: Judgments, measure: Measure) -> Mapping[int, float]:
    """Gains that differ from the grades."""
    if measure.is_exponential:
        grades = np.unique(judgments.grades)
        return dict(zip(grades.tolist(), _exponential(np.maximum(grades, 0)).tolist(), strict=True))
    return dict(measure.gains)


def _exponential(grades: NDArray[np.int64]) -> Values:
    """2^g - 1, at most 2^1000, so that sums stay finite."""
    return np.exp2(np.minimum(grades, _HIGHEST_POWER)) - 1.0


def _gains_to_one(judged: JudgedRun, measure: Measure) -> Values:
    if measure.level is not None:
        return (judged.grades >= measure.level).astype(np.float64)
    gains = dict(measure.gains)
    highest = max(gains.values(), default=0.0) if gains else float(judged.judgments.highest)
    scale = highest if highest > 1 or not gains else 1.0
    return gain_of(judged.grades, gains) / (scale or 1.0)


def _cutoff(measure: Measure) -> int | None:
    return None if measure.cutoff is None else measure.depth


def _running_dcg(ranked: Ranked) -> Values:
    """Discounted cumulative gain up to each entry, added sequentially within each topic."""
    terms = ranked.gains / log2_of_rank(ranked.ranks)
    starts = np.flatnonzero(np.diff(ranked.topics, prepend=-1))
    return np.concatenate([np.empty(0), *(np.cumsum(part) for part in np.split(terms, starts[1:]))])
