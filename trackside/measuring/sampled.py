"""Measures from pools judged by stratified samples (Yilmaz, Kanoulas and Aslam, SIGIR 2008).

They estimate the values under complete judgments and need prels, whose fourth column is the stratum. The
constants and the limit of 1,000 results come from NIST's sample_eval.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from trackside.measuring.counts import ratio
from trackside.measuring.family import Measure
from trackside.measuring.judged import JudgedRun, log2_of_rank

Values = NDArray[np.float64]


_RESULT_LIMIT = 1000
_RELEVANT_EPSILON = 0.00001
_JUDGED_EPSILON = 0.00003


def inferred_average_precision(judged: JudgedRun, measure: Measure) -> Values:
    """xinfAP: average precision, with each stratum's relevant share estimated from its sample."""
    level = measure.relevant_from
    all_relevant = estimated_relevant(judged, measure)
    is_hit = (judged.grades >= level) & (judged.ranks < _RESULT_LIMIT)
    precision = _precision_at(judged, level)
    value = np.zeros(judged.topic_count)
    for pool, rows in _strata(judged):
        hits = is_hit & rows
        total = np.bincount(judged.topics[hits], weights=precision[hits], minlength=judged.topic_count)
        sampled_relevant = _pool_count(judged, pool & (judged.judgments.grades >= level))
        share = ratio(_estimate(judged, pool, level), all_relevant)
        value += share * ratio(total, sampled_relevant)
    return value * np.maximum(all_relevant / _RESULT_LIMIT, 1.0)


def inferred_ndcg(judged: JudgedRun, measure: Measure) -> Values:
    """infNDCG: nDCG with gains and ideal gains estimated per stratum."""
    is_in = judged.ranks < _RESULT_LIMIT
    is_hit = (judged.grades > 0) & is_in
    terms = np.where(is_hit, judged.grades, 0) / log2_of_rank(judged.ranks)
    value = np.zeros(judged.topic_count)
    for _, rows in _strata(judged):
        gain = np.bincount(judged.topics[rows], weights=terms[rows], minlength=judged.topic_count)
        seen, sampled = judged.count(rows & is_in), judged.count(rows & is_in & (judged.grades >= 0))
        value += seen * ratio(gain, sampled)
    return ratio(value, _ideal(judged))


def estimated_precision(judged: JudgedRun, measure: Measure) -> Values:
    """iP@k: estimated relevant documents in the first k, over k."""
    return _retrieved_estimate(judged, measure.relevant_from, measure.depth) / measure.depth


def estimated_relevant_retrieved(judged: JudgedRun, measure: Measure) -> Values:
    """Estimated number of relevant documents retrieved."""
    return _retrieved_estimate(judged, measure.relevant_from, _RESULT_LIMIT)


def estimated_relevant(judged: JudgedRun, measure: Measure) -> Values:
    """Estimated number of relevant documents."""
    value = np.zeros(judged.topic_count)
    for pool, _ in _strata(judged):
        value += _estimate(judged, pool, measure.relevant_from)
    return value


def _strata(judged: JudgedRun) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """For each stratum, masks of its pool members and of its results."""
    pool, results = judged.judgments.strata, judged.strata
    if pool is not None and results is not None:
        for stratum in np.unique(pool):
            yield pool == stratum, results == stratum


def _pool_count(judged: JudgedRun, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.bincount(judged.judgments.topics[mask], minlength=judged.topic_count)


def _estimate(judged: JudgedRun, pool: NDArray[np.bool_], level: int) -> Values:
    """Estimated relevant documents of one stratum: its size times the relevant share of its sample."""
    grades = judged.judgments.grades
    relevant = _pool_count(judged, pool & (grades >= level))
    return ratio(relevant * _pool_count(judged, pool), _pool_count(judged, pool & (grades >= 0)))


def _retrieved_estimate(judged: JudgedRun, level: int, depth: int) -> Values:
    is_in = judged.ranks < min(depth, _RESULT_LIMIT)
    value = np.zeros(judged.topic_count)
    for _, rows in _strata(judged):
        seen = rows & is_in
        sampled = judged.count(seen & (judged.grades >= 0))
        relevant = judged.count(seen & (judged.grades >= level))
        value += judged.count(seen) * (relevant + _RELEVANT_EPSILON) / (sampled + _JUDGED_EPSILON)
    return value


def _precision_at(judged: JudgedRun, level: int) -> Values:
    """For each result, the estimated precision at its rank if it were relevant."""
    rank = judged.ranks + 1.0
    above = np.zeros(len(rank))
    for _, rows in _strata(judged):
        is_judged, is_relevant = rows & (judged.grades >= 0), rows & (judged.grades >= level)
        seen = judged.running(rows) - rows
        sampled = judged.running(is_judged) - is_judged
        relevant = judged.running(is_relevant) - is_relevant
        above += seen * (relevant + _RELEVANT_EPSILON) / (sampled + _JUDGED_EPSILON)
    return (1.0 + above) / rank


def _ideal(judged: JudgedRun) -> Values:
    """Discounted cumulative gain of an ideal list whose grades each fill their estimated number of ranks."""
    grades = judged.judgments.grades
    start = np.zeros(judged.topic_count)
    value = np.zeros(judged.topic_count)
    for grade in np.unique(grades[grades > 0])[::-1].tolist():
        size = np.zeros(judged.topic_count)
        for pool, _ in _strata(judged):
            of_grade = _pool_count(judged, pool & (grades == grade))
            size += ratio(of_grade * _pool_count(judged, pool), _pool_count(judged, pool & (grades >= 0)))
        for topic in np.flatnonzero(size).tolist():
            # Ranks may be fractions because sizes are estimates. sample_eval stops a grade at rank 1,000.
            ranks = start[topic] + np.arange(1, int(size[topic]) + 1)
            ranks = ranks[: int(np.searchsorted(ranks, _RESULT_LIMIT)) + 1]
            value[topic] += (grade / np.log2(ranks + 1.0)).sum()
        start += size
    return value
