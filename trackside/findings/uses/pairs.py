"""The pairs on which people and a judge are compared, and the runs' values under any grades of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.retrieved import GradedPairs, Retrieved
from trackside.findings.run_blind import Cells, expected_values
from trackside.measuring import parse_measure


@dataclass(frozen=True)
class ComparedPairs:
    """Pairs that people and the judge graded, in the order of topic (from 0) and docno.

    ``people``, ``judge`` and each of ``seconds`` are grades; a second assessor's is negative without one.
    ``results`` are those of each run among these pairs. ``level`` is the lowest relevant grade.
    """

    measure: str
    scale: tuple[int, ...]
    level: int
    seed: int
    topics: Ints
    topic_count: int
    people: Ints
    judge: Ints
    seconds: tuple[Ints, ...]
    results: tuple[Retrieved, ...]

    def values(self, grades: Ints, results: Sequence[Retrieved] | None = None) -> Floats:
        """Values [run, topic] of the measure under these grades; of other results of the runs if given."""
        graded = GradedPairs(grades, self.topics, self.topic_count)
        runs = self.results if results is None else results
        return np.array([graded.values(run, (self.measure,))[0] for run in runs])

    @cached_property
    def by_people(self) -> Floats:
        """Values [run, topic] under people's grades."""
        return self.values(self.people)

    @cached_property
    def by_judge(self) -> Floats:
        """Values [run, topic] under the judge's grades."""
        return self.values(self.judge)

    @cached_property
    def cells(self) -> Cells:
        """The pairs by topic and people's grade."""
        return Cells(self.topics, self.people, self.judge, self.topic_count)

    @cached_property
    def blind(self) -> Floats:
        """Values [run, topic] expected under run-blind judges."""
        return expected_values(parse_measure(self.measure), self.cells, self.results, seed=self.seed)

    def where(self, is_in: Flags) -> Self:
        """Select pairs, and the topics that have any."""
        topics, of_pair = np.unique(self.topics[is_in], return_inverse=True)
        index_of_pair = np.where(is_in, np.cumsum(is_in) - 1, -1)
        return replace(
            self,
            topics=of_pair,
            topic_count=topics.size,
            people=self.people[is_in],
            judge=self.judge[is_in],
            seconds=tuple(grades[is_in] for grades in self.seconds),
            results=tuple(run.among(index_of_pair, topics) for run in self.results),
        )

    def graded_by(self, judge: Ints) -> Self:
        """The same pairs with other grades of the judge."""
        return replace(self, judge=judge)

    def of_runs(self, is_in: Flags) -> Self:
        """The same pairs with some of the runs."""
        return replace(
            self, results=tuple(run for run, kept in zip(self.results, is_in, strict=True) if kept)
        )
