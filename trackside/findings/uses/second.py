"""Second assessors as one yardstick, pooled pair by pair: the order of their files does not matter."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trackside.arrays import Flags, Floats, Ints, value_or_none
from trackside.findings.grades import is_one_sided
from trackside.findings.use_results import AssayFinding
from trackside.findings.uses.pairs import ComparedPairs
from trackside.statistics.agreement import kappa_of_matrices
from trackside.statistics.estimate import Reason
from trackside.uncertainty.intervals import FEWEST_TOPICS, jackknife_error, matrices_without_each, t_quantile

LEAST_KAPPA, LEAST_END = 0.4, 0.1  # of people with each other, for a judge to be measured against them
LEAST_SHARE = 0.8  # of a topic's pairs, for tau by these pairs to be near that by all
ONE_SIDED = 0.9  # two-sided level whose ends are one-sided at 95 %


@dataclass(frozen=True, slots=True)
class Difference:
    """A judge's statistic less the second assessors', with ends one-sided at 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Pooled:
    """Grades of all second assessors: a pair that n of them graded is there n times, with weight 1 / n."""

    pairs: ComparedPairs
    index: Ints
    grades: Ints
    weights: Floats

    @classmethod
    def of(cls, pairs: ComparedPairs) -> "Pooled":
        """Pool the grades of the pairs' second assessors."""
        index = [np.flatnonzero(grades >= 0) for grades in pairs.seconds]
        rows = np.concatenate([np.arange(0), *index])
        grades = [second[of_second] for second, of_second in zip(pairs.seconds, index, strict=True)]
        times = np.bincount(rows, minlength=pairs.topics.size)
        return cls(pairs, rows, np.concatenate([np.arange(0), *grades]), 1 / times[rows])

    @property
    def pair_count(self) -> int:
        """The number of different pairs."""
        return int(np.unique(self.index).size)

    def by_grade(self, other: Ints) -> Floats:
        """Weighted confusions [topic, people, other] of grades [entry] on the pairs' scale."""
        scale = np.array(self.pairs.scale)
        people = self.pairs.people[self.index]
        return self._confusions(np.searchsorted(scale, people), np.searchsorted(scale, other), scale.size)

    def by_relevance(self) -> Floats:
        """Weighted confusions [topic, people, second] of relevant or not."""
        people = self.pairs.people[self.index] >= self.pairs.level
        second = self.grades >= self.pairs.level
        return self._confusions(people.astype(np.int64), second.astype(np.int64), 2)

    def _confusions(self, people: Ints, other: Ints, size: int) -> Floats:
        """Of the topics with an entry, by indices of grades."""
        _, topics = np.unique(self.pairs.topics[self.index], return_inverse=True)
        cells = (topics * size + people) * size + other
        shape = (int(topics.max(initial=-1)) + 1, size, size)
        counts = np.bincount(cells, weights=self.weights, minlength=int(np.prod(shape)))
        return counts.astype(np.float64).reshape(shape)


def assay_of(pairs: ComparedPairs) -> AssayFinding:
    """Do people agree on relevance, with kappa of at least .4 whose one-sided lower end is above .1?"""
    if not pairs.seconds:
        return AssayFinding(reason=Reason.NO_SECOND_ASSESSOR)
    pooled = Pooled.of(pairs)
    if not pooled.index.size:
        return AssayFinding(reason=Reason.NO_SHARED_PAIR)
    matrices = pooled.by_relevance()
    total = matrices.sum(axis=0)
    both, apart = float(total[1, 1]), float(total[0, 1] + total[1, 0])
    counts: dict[str, Any] = {"pair_count": pooled.pair_count, "topic_count": len(matrices)}
    positive = 2 * both / (2 * both + apart) if both + apart else None
    kappa = value_or_none(kappa_of_matrices(total[None], (0, 1))[0])
    if kappa is None or is_one_sided(total):
        return AssayFinding(positive_agreement=positive, reason=Reason.CONSTANT_GRADES, **counts)
    left_out = kappa_of_matrices(matrices_without_each(matrices), (0, 1))
    if len(matrices) < FEWEST_TOPICS:
        return AssayFinding(kappa=kappa, positive_agreement=positive, reason=Reason.TOO_FEW_TOPICS, **counts)
    error = jackknife_error(left_out[~np.isnan(left_out)])
    freedom = len(matrices) - 1.0
    half_width, one_sided = (float(t_quantile(freedom, level)) * error for level in (0.95, ONE_SIDED))
    lower = kappa - one_sided
    return AssayFinding(
        is_passed=kappa >= LEAST_KAPPA and lower > LEAST_END,
        kappa=kappa,
        low=kappa - half_width,
        high=kappa + half_width,
        lower=lower,
        positive_agreement=positive,
        **counts,
    )


def one_sided_ends(value: float, error: float, topics: int) -> Difference:
    """A difference with its one-sided 95 % ends, by Student's t with topics - 1 degrees of freedom."""
    half_width = float(t_quantile(topics - 1.0, ONE_SIDED)) * error
    return Difference(value, value - half_width, value + half_width)


@dataclass(frozen=True)
class Trio:
    """The pairs that people, the judge and one second assessor graded; ``topics`` are among the judge's."""

    pairs: ComparedPairs
    second: Ints
    topics: Ints
    weight: int

    @classmethod
    def of(cls, pairs: ComparedPairs, second: Ints) -> "Trio":
        """Select the pairs that the second assessor graded, too."""
        is_in: Flags = second >= 0
        return cls(pairs.where(is_in), second[is_in], np.unique(pairs.topics[is_in]), int(is_in.sum()))


def is_whole(pairs: ComparedPairs) -> bool:
    """Whether second assessors graded nearly all pairs of the topics that they graded.

    On a part of a topic's pairs the judge's tau and theirs are other numbers than on all, and so is their
    difference: it may rise by .2 as pairs are left out.
    """
    is_graded = np.zeros(pairs.topics.size, dtype=bool)
    for second in pairs.seconds:
        is_graded |= second >= 0
    is_in_topic = np.isin(pairs.topics, pairs.topics[is_graded])
    return int(is_graded.sum()) >= LEAST_SHARE * int(is_in_topic.sum())


def trios_of(pairs: ComparedPairs) -> list[Trio]:
    """One trio for each second assessor with a pair."""
    return [Trio.of(pairs, second) for second in pairs.seconds if (second >= 0).any()]
