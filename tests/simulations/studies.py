"""Studies made from arrays, without files: what runs retrieved, and grades of people and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.files import Qrels
from trackside.findings.favour import exposure_of
from trackside.findings.retrieved import GradedPairs, Retrieved
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.study import Study


@dataclass(frozen=True)
class Track:
    """What the runs of a track retrieved; ``families`` flags the runs of each declared family."""

    scale: tuple[int, ...]
    level: int
    topic_of_pair: Ints
    retrieved: tuple[Retrieved, ...]
    teams: tuple[str, ...]
    families: Mapping[str, Flags]

    @property
    def topic_count(self) -> int:
        """Number of topics."""
        return int(self.topic_of_pair.max()) + 1

    @cached_property
    def results(self) -> list[Retrieved]:
        """The results of each run, all pairs being graded."""
        pairs, topics = np.arange(self.topic_of_pair.size), np.arange(self.topic_count)
        return [run.among(pairs, topics) for run in self.retrieved]

    def exposure(self, is_in: Flags) -> Floats:
        """The exposure of each pair to these runs."""
        return exposure_of(self.results, is_in, self.topic_of_pair.size)

    def declaring(self, families: Mapping[str, Flags]) -> Track:
        """The same runs with other declared families."""
        return replace(self, families=families)

    def repeated(self, count: int) -> Track:
        """The same topics several times, side by side."""
        pairs, topics = self.topic_of_pair.size, self.topic_count
        return replace(
            self,
            topic_of_pair=np.concatenate([self.topic_of_pair + at * topics for at in range(count)]),
            retrieved=tuple(
                Retrieved(
                    np.concatenate([run.pairs + at * pairs for at in range(count)]),
                    np.tile(run.ranks, count),
                    np.tile(run.counts, count),
                )
                for run in self.retrieved
            ),
        )

    def values(self, grades: Ints, measures: Sequence[str]) -> Floats:
        """Values [measure, run, topic]."""
        graded = GradedPairs(grades, self.topic_of_pair, self.topic_count)
        return np.array([graded.values(run, measures) for run in self.retrieved]).swapaxes(0, 1)

    def study(
        self, people: Ints, models: Sequence[Ints] | Ints, *, second: Ints | None = None, **design: Any
    ) -> Study:
        """The study of these grades [pair]; the second assessor's are negative where it gave none."""
        options: dict[str, Any] = {"measures": ("nDCG@10",), **design}
        seconds = [] if second is None else [second]
        grades = np.array([people, *models, *seconds])
        kinds = ["human", *["model"] * len(models), *["second"] * len(seconds)]
        return Study(
            Design(self.scale, self.level, **options),
            tuple(self._described(run) for run in range(len(self.teams))),
            tuple(_graded_set(f"{kind} {at}", kind) for at, kind in enumerate(kinds)),
            tuple(f"{topic:03d}" for topic in range(self.topic_count)),
            tuple(f"d{pair:06d}" for pair in range(people.size)),
            self.topic_of_pair,
            np.ones((len(grades), self.topic_count), dtype=np.bool_),
            grades,
            np.full(grades.shape, np.nan),
            self.retrieved,
            np.array([self.values(row, options["measures"]) for row in grades]),
        )

    def _described(self, run: int) -> ReportRun:
        families = tuple(name for name, is_in in self.families.items() if is_in[run])
        return ReportRun(f"r{run:02d}", self.teams[run], families)


def drawn_grades(rng: np.random.Generator, chances: Floats) -> Ints:
    """A grade of each pair by its chances [pair, grade]."""
    return chosen_grades(rng.random(len(chances)), chances)


def chosen_grades(draws: Floats, chances: Floats) -> Ints:
    """The grade of each pair whose cumulated chances [pair, grade] its draw, between 0 and 1, has reached."""
    reached = (draws[:, None] > chances.cumsum(axis=1)).sum(axis=1)
    grades: Ints = np.minimum(reached, chances.shape[1] - 1)
    return grades


def raised(rng: np.random.Generator, grades: Ints, exposure: Floats, share: float, highest: int) -> Ints:
    """Raise by one the grades of a share of the pairs that the family has more of in its first ten."""
    is_raised = (exposure > 0) & (rng.random(grades.size) < share)
    higher: Ints = np.minimum(grades + is_raised, highest)
    return higher


def _graded_set(name: str, kind: str) -> GradedSet:
    qrels = Qrels.from_dict({}, name=name)
    return GradedSet(SetFacts.of(qrels, kind), qrels)
