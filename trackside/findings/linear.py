"""Measures that are linear in the gains of single results: nDCG, DCG, P and R."""

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.findings.retrieved import Retrieved
from trackside.measuring import Measure
from trackside.measuring.gains import gains_of
from trackside.measuring.judged import Judgments, gain_of, log2_of_rank


@dataclass(frozen=True, slots=True)
class LinearMeasure:
    """The gain of each pair, and what a gain at a rank adds to the value of its topic."""

    gains: Floats
    topics: Ints
    shares: Floats  # [topic]: 1 / divisor
    depth: float
    is_discounted: bool

    def weights(self, run: Retrieved) -> Floats:
        """What a gain of 1 of each result of the run adds to the value of its topic."""
        weights: Floats = self.shares[self.topics[run.pairs]] * (run.ranks < self.depth)
        return weights / log2_of_rank(run.ranks) if self.is_discounted else weights


def linear_measure(measure: Measure, topics: Ints, grades: Ints, topic_count: int) -> LinearMeasure | None:
    """The measure under these grades of the pairs; None if it is not linear in single results.

    Shuffling grades within topics leaves a topic's ideal and its number of relevant pairs unchanged.
    """
    name = measure.family.name
    if measure.is_judged_only or measure.options or name not in ("nDCG", "DCG", "P", "R"):
        return None
    judgments = Judgments(topic_count, topics, grades)
    divisor: Floats | Ints = np.ones(topic_count)
    if name in ("P", "R"):
        gains = (grades >= measure.relevant_from).astype(np.float64)
        divisor = judgments.relevant(measure.relevant_from) if name == "R" else divisor * measure.depth
    else:
        by_grade = gains_of(judgments, measure)
        gains = gain_of(grades, by_grade)
        if name == "nDCG":
            divisor = judgments.ideal_dcg(by_grade, None if measure.cutoff is None else measure.depth)
    return LinearMeasure(
        gains,
        topics,
        np.divide(1.0, divisor, out=np.zeros(topic_count), where=divisor > 0),
        np.inf if measure.cutoff is None else measure.depth,
        is_discounted=name in ("nDCG", "DCG"),
    )
