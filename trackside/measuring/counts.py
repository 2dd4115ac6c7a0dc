"""Counts of retrieved, relevant and judged documents, and the set measures computed from them."""

import numpy as np
from numpy.typing import NDArray

from trackside.measuring.family import Measure
from trackside.measuring.judged import JudgedRun

Values = NDArray[np.float64]


def topics(judged: JudgedRun, measure: Measure) -> Values:
    """The constant 1 for every topic."""
    return np.ones(judged.topic_count)


def retrieved(judged: JudgedRun, measure: Measure) -> Values:
    """Number of retrieved documents."""
    return judged.retrieved.astype(np.float64)


def relevant(judged: JudgedRun, measure: Measure) -> Values:
    """Number of relevant documents."""
    return judged.judgments.relevant(measure.relevant_from).astype(np.float64)


def relevant_retrieved(judged: JudgedRun, measure: Measure) -> Values:
    """Number of relevant retrieved documents."""
    return judged.relevant_before(measure.relevant_from).astype(np.float64)


def nonrelevant_judged_retrieved(judged: JudgedRun, measure: Measure) -> Values:
    """Number of retrieved documents judged below the level."""
    mask = (judged.grades >= 0) & (judged.grades < measure.relevant_from)
    return judged.count(mask).astype(np.float64)


def precision(judged: JudgedRun, measure: Measure) -> Values:
    """Relevant in the first k, over k; missing results count as not relevant."""
    return judged.relevant_before(measure.relevant_from, measure.depth) / measure.depth


def recall(judged: JudgedRun, measure: Measure) -> Values:
    """Relevant in the first k, over all relevant; 0 when no document is relevant."""
    hits = judged.relevant_before(measure.relevant_from, measure.depth)
    return ratio(hits, judged.judgments.relevant(measure.relevant_from))


def relative_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Relevant in the first k over the smaller of k and the number of relevant documents."""
    hits = judged.relevant_before(measure.relevant_from, measure.depth)
    return ratio(hits, np.minimum(judged.judgments.relevant(measure.relevant_from), measure.depth))


def r_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Precision after as many results as there are relevant documents."""
    total = judged.judgments.relevant(measure.relevant_from)
    mask = (judged.grades >= measure.relevant_from) & (judged.ranks < total[judged.topics])
    return ratio(judged.count(mask), total)


def r_precision_multiple(judged: JudgedRun, measure: Measure) -> Values:
    """Precision after a multiple of R results, R the number of relevant documents."""
    total = judged.judgments.relevant(measure.relevant_from)
    # trec_eval adds 0.9 before it truncates the product.
    cutoffs = (measure.fraction * total + 0.9).astype(np.int64)
    mask = (judged.grades >= measure.relevant_from) & (judged.ranks < cutoffs[judged.topics])
    return ratio(judged.count(mask), cutoffs)


def success(judged: JudgedRun, measure: Measure) -> Values:
    """1 when a relevant document is in the first k, else 0: what vision papers call Recall@k."""
    return (judged.relevant_before(measure.relevant_from, measure.depth) > 0).astype(np.float64)


def unjudged(judged: JudgedRun, measure: Measure) -> Values:
    """Ungraded documents in the first k, over k."""
    retrieved_before = np.minimum(judged.retrieved, measure.depth)
    return (retrieved_before - _graded_before(judged, measure.depth)) / measure.depth


def judged_share(judged: JudgedRun, measure: Measure) -> Values:
    """Graded documents in the first k, over k, even if fewer than k were retrieved."""
    return _graded_before(judged, measure.depth) / measure.depth


def set_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Relevant retrieved over retrieved."""
    return ratio(judged.relevant_before(measure.relevant_from), judged.retrieved)


def set_recall(judged: JudgedRun, measure: Measure) -> Values:
    """Relevant retrieved over relevant."""
    return ratio(
        judged.relevant_before(measure.relevant_from), judged.judgments.relevant(measure.relevant_from)
    )


def set_relative_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Relevant retrieved over the smaller of retrieved and relevant."""
    total = judged.judgments.relevant(measure.relevant_from)
    return ratio(judged.relevant_before(measure.relevant_from), np.minimum(judged.retrieved, total))


def set_average_precision(judged: JudgedRun, measure: Measure) -> Values:
    """Set precision times set recall."""
    hits = judged.relevant_before(measure.relevant_from).astype(np.float64)
    total = judged.judgments.relevant(measure.relevant_from).astype(np.float64)
    return ratio(hits * hits, judged.retrieved * total)


def set_f(judged: JudgedRun, measure: Measure) -> Values:
    """(x + 1) P R / (x P + R) of set precision and recall; x = 1 gives their harmonic mean."""
    x = measure.option("x")
    p, r = set_precision(judged, measure), set_recall(judged, measure)
    return ratio((x + 1.0) * p * r, x * p + r)


def utility(judged: JudgedRun, measure: Measure) -> Values:
    """a, b, c, d times: relevant retrieved, others retrieved, relevant missed, the rest of N."""
    hits = judged.relevant_before(measure.relevant_from)
    total = judged.judgments.relevant(measure.relevant_from)
    rest = measure.option("N") + hits - judged.retrieved - total
    value = (
        measure.option("a") * hits
        + measure.option("b") * (judged.retrieved - hits)
        + measure.option("c") * (total - hits)
        + measure.option("d") * rest
    )
    return np.where(judged.is_answered, value, 0.0)


def ratio(above: NDArray[np.int64] | Values, below: NDArray[np.int64] | Values) -> Values:
    """The quotient, 0 where the divisor is 0, as in trec_eval."""
    return np.divide(above, below, out=np.zeros(len(above)), where=np.asarray(below) != 0)


def _graded_before(judged: JudgedRun, cutoff: int) -> NDArray[np.int64]:
    return judged.count((judged.grades >= 0) & (judged.ranks < cutoff))
