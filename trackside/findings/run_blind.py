"""Expected values of the runs under run-blind judges.

A run-blind judge has the judge's grades, shuffled among the pairs of one topic that people graded alike (a
cell), so it is as lenient and errs as often, but does not know which run retrieved a pair. The expectation
over all shuffles is exact for linear measures and AP; others take the mean of ``SHUFFLES`` shuffles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.findings.linear import linear_measure
from trackside.findings.retrieved import GradedPairs, Retrieved
from trackside.measuring import Measure
from trackside.measuring.judged import Judgments, first_in_topic, sum_in_order

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

    def by_topic(self, run: Retrieved, values: Floats) -> Floats:
        """Sum the values of the run's results by topic."""
        return sum_in_order(self.topics[run.pairs], values, self.topic_count)

    def shuffled(self, rng: np.random.Generator) -> Ints:
        """The judge's grades, shuffled within each cell."""
        grades = np.empty_like(self.judge)
        random = np.lexsort((rng.random(self.judge.size), self.of_pair))
        grades[random] = self.judge[np.argsort(self.of_pair, kind="stable")]
        return grades


def expected_values(measure: Measure, cells: Cells, results: Sequence[Retrieved], *, seed: int) -> Floats:
    """Expected values [run, topic] of a measure under run-blind judges, of results among the cells' pairs."""
    if linear := linear_measure(measure, cells.topics, cells.judge, cells.topic_count):
        means = cells.means(linear.gains)
        return np.array([cells.by_topic(run, means[run.pairs] * linear.weights(run)) for run in results])
    if measure.family.name == "AP" and not (measure.is_judged_only or measure.options):
        return _average_precision(measure, cells, results)
    rng = np.random.default_rng(seed)
    total = np.zeros((len(results), cells.topic_count))
    for _ in range(SHUFFLES):
        graded = GradedPairs(cells.shuffled(rng), cells.topics, cells.topic_count)
        total += [graded.values(run, (str(measure),))[0] for run in results]
    return total / SHUFFLES


def _average_precision(measure: Measure, cells: Cells, results: Sequence[Retrieved]) -> Floats:
    """Two pairs are both relevant with p_j p_k in different cells, with p (m - 1) / (n - 1) in one."""
    level, depth = measure.relevant_from, np.inf if measure.cutoff is None else measure.depth
    p = cells.means((cells.judge >= level).astype(np.float64))
    relevant = Judgments(cells.topic_count, cells.topics, cells.judge).relevant(level)
    joint = np.where(cells.sizes > 1, p * (p * cells.sizes - 1) / np.maximum(cells.sizes - 1, 1), 0.0)
    excess = joint - p * p  # of two pairs of one cell over two of different cells
    sums = np.zeros((len(results), cells.topic_count))
    for run, row in zip(results, sums, strict=True):
        chances, topics = p[run.pairs], cells.topics[run.pairs]
        cumulative = np.cumsum(chances) - chances  # results are in order of topic and rank
        before = cumulative - cumulative[first_in_topic(topics)]
        earlier = _earlier_count(cells.of_pair[run.pairs])
        precision = (chances + chances * before + earlier * excess[run.pairs]) / (run.ranks + 1)
        row[:] = cells.by_topic(run, precision * (run.ranks < depth))
    return np.divide(sums, relevant, out=np.zeros(sums.shape), where=relevant > 0)


def _earlier_count(cells: Ints) -> Ints:
    """The number of earlier results in the same cell."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    counts = np.empty_like(cells)
    counts[order] = np.arange(cells.size) - np.searchsorted(ordered, ordered)
    return counts
