"""Expected values of the runs under run-blind judges.

A run-blind judge has the judge's grades, shuffled among the pairs of one topic that people graded alike (a
cell), so it is as lenient and errs as often, but does not know which run retrieved a pair. The expectation
over all shuffles is exact for nDCG, P, R and AP; other measures take the mean of ``SHUFFLES`` shuffles.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.retrieved import GradedPairs, Retrieved
from trackside.measuring import Measure
from trackside.measuring.gains import gains_of
from trackside.measuring.judged import Judgments, first_in_topic, gain_of, log2_of_rank

SHUFFLES = 200  # of measures without a closed form


@dataclass(frozen=True)
class Cells:
    """Pairs by topic (from 0) and people's grade: the judge's grades are shuffled within these."""

    topics: Ints
    people: Ints
    judge: Ints
    topic_count: int

    @cached_property
    def of_pair(self) -> Ints:
        """The cell of each pair."""
        cells: Ints = self.topics * (int(self.people.max(initial=0)) + 1) + self.people
        return cells

    @property
    def is_constant(self) -> bool:
        """Whether all grades of one side are equal."""
        return not (self.judge.size and np.ptp(self.judge) and np.ptp(self.people))

    @cached_property
    def sizes(self) -> Ints:
        """The number of pairs in each pair's cell."""
        return np.bincount(self.of_pair)[self.of_pair]

    def means(self, values: Floats) -> Floats:
        """The mean of the values [pair] in each pair's cell."""
        means: Floats = np.bincount(self.of_pair, weights=values)[self.of_pair] / self.sizes
        return means

    def shuffled(self, rng: np.random.Generator) -> Ints:
        """The judge's grades, shuffled within each cell."""
        grades = np.empty_like(self.judge)
        random = np.lexsort((rng.random(self.judge.size), self.of_pair))
        grades[random] = self.judge[np.argsort(self.of_pair, kind="stable")]
        return grades


def expected_values(measure: Measure, cells: Cells, results: Sequence[Retrieved], *, seed: int) -> Floats:
    """Expected values [run, topic] of a measure under run-blind judges, of results among the cells' pairs."""
    expectation = _exact(measure, cells)
    if expectation is not None:
        return np.array([expectation(run) for run in results])
    rng = np.random.default_rng(seed)
    total = np.zeros((len(results), cells.topic_count))
    for _ in range(SHUFFLES):
        graded = GradedPairs(cells.shuffled(rng), cells.topics, cells.topic_count)
        total += [graded.values(run, (str(measure),))[0] for run in results]
    return total / SHUFFLES


def _exact(measure: Measure, cells: Cells) -> Callable[[Retrieved], Floats] | None:
    """The exact expectation of a run's values, or None for a measure without a closed form."""
    if measure.is_judged_only or measure.options:
        return None
    match measure.family.name:
        case "nDCG":
            return _ndcg(measure, cells)
        case "P":
            return _share(measure, cells, np.full(cells.topic_count, measure.depth))
        case "R":
            relevant = Judgments(cells.topic_count, cells.topics, cells.judge).relevant(measure.relevant_from)
            return _share(measure, cells, relevant)
        case "AP":
            return _average_precision(measure, cells)
    return None


def _within(run: Retrieved, measure: Measure) -> Flags:
    return run.ranks < (np.inf if measure.cutoff is None else measure.depth)


def _summed(cells: Cells, run: Retrieved, values: Floats, divisor: Floats | Ints) -> Floats:
    """Sum values by topic and divide; 0 where the divisor is 0."""
    total = np.bincount(cells.topics[run.pairs], weights=values, minlength=cells.topic_count)
    return np.divide(total, divisor, out=np.zeros(cells.topic_count), where=divisor > 0)


def _ndcg(measure: Measure, cells: Cells) -> Callable[[Retrieved], Floats]:
    """Linear in the gains; the shuffled grades of a topic have the judge's own ideal."""
    judgments = Judgments(cells.topic_count, cells.topics, cells.judge)
    gains = gains_of(judgments, measure)
    ideal = judgments.ideal_dcg(gains, None if measure.cutoff is None else measure.depth)
    means = cells.means(gain_of(cells.judge, gains))

    def values(run: Retrieved) -> Floats:
        gained = means[run.pairs] / log2_of_rank(run.ranks) * _within(run, measure)
        return _summed(cells, run, gained, ideal)

    return values


def _share(measure: Measure, cells: Cells, divisor: Ints) -> Callable[[Retrieved], Floats]:
    """Linear in the relevance of the first results; the number of relevant pairs of a topic is fixed."""
    means = cells.means((cells.judge >= measure.relevant_from).astype(np.float64))

    def values(run: Retrieved) -> Floats:
        return _summed(cells, run, means[run.pairs] * _within(run, measure), divisor)

    return values


def _average_precision(measure: Measure, cells: Cells) -> Callable[[Retrieved], Floats]:
    """Two pairs are both relevant with p_j p_k in different cells, with p (m - 1) / (n - 1) in one."""
    level = measure.relevant_from
    p = cells.means((cells.judge >= level).astype(np.float64))
    relevant = Judgments(cells.topic_count, cells.topics, cells.judge).relevant(level)
    joint = np.where(cells.sizes > 1, p * (p * cells.sizes - 1) / np.maximum(cells.sizes - 1, 1), 0.0)
    excess = joint - p * p  # of two pairs of one cell over two of different cells

    def values(run: Retrieved) -> Floats:
        chances, topics = p[run.pairs], cells.topics[run.pairs]
        cumulative = np.cumsum(chances) - chances  # results are in order of topic and rank
        before = cumulative - cumulative[first_in_topic(topics)]
        earlier = _earlier_count(cells.of_pair[run.pairs])
        precision = (chances + chances * before + earlier * excess[run.pairs]) / (run.ranks + 1)
        return _summed(cells, run, precision * _within(run, measure), relevant)

    return values


def _earlier_count(cells: Ints) -> Ints:
    """The number of earlier results in the same cell."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    counts = np.empty_like(cells)
    counts[order] = np.arange(cells.size) - np.searchsorted(ordered, ordered)
    return counts
