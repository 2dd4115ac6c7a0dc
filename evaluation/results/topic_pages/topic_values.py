"""Values of all runs on one topic, and the order of topics by the difference between two runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import AnonymousUser

from evaluation.collections.models import Topic
from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels
from evaluation.results.topic_pages.lookups import visible_topics
from evaluation.results.values.leaderboard import scored_runs, values_of
from evaluation.results.values.models import MeasureValue
from evaluation.submissions.runs.models import Run
from evaluation.tracks.models import Task

LEFT, WIDTH, STEP = 110, 220, 26  # of the chart: where 0 lies, from 0 to 1, from row to row


@dataclass(frozen=True)
class ValueLine:
    """Values on the topic under one set of qrels, by primary key of the run; ``y`` is the line's place.

    ``chosen`` are the keys of runs A and B. The chart goes from 0 to 1: values beyond lie at its ends.
    """

    qrels: Qrels
    y: int
    by_run: Mapping[int, float]
    chosen: tuple[int, ...]

    @property
    def by_letter(self) -> dict[str, float]:
        """The values of A and B, as far as they have one."""
        pairs = zip("AB", self.chosen, strict=False)
        return {letter: self.by_run[run] for letter, run in pairs if run in self.by_run}

    @property
    def dots(self) -> list[float]:
        """The places of all other runs."""
        return [_x(value) for run, value in self.by_run.items() if run not in self.chosen]

    @property
    def letters(self) -> list[tuple[str, float]]:
        """The places of A and B."""
        return [(letter, _x(value)) for letter, value in self.by_letter.items()]

    @property
    def words(self) -> str:
        """The values of A and B in words, for readers who cannot see the chart."""
        values = (f"{letter} {value:.2f}" for letter, value in self.by_letter.items())
        return f"{self.qrels.name}: {', '.join(values)}."

    @property
    def difference(self) -> float | None:
        """Return the value of B minus that of A; None if one is missing."""
        values = self.by_letter
        return values["B"] - values["A"] if len(values) > 1 else None

    def value(self, run: Run) -> float | None:
        """Return the run's value on the topic."""
        return self.by_run.get(run.pk)

    def rank(self, run: Run) -> int | None:
        """Return the run's rank on the topic; equal values share the best one."""
        value = self.value(run)
        return None if value is None else 1 + sum(other > value for other in self.by_run.values())


@dataclass(frozen=True)
class RunLine:
    """A run among all runs of the topic: its value under each set of qrels that is shown."""

    run: Run
    values: tuple[float | None, ...]


def value_line(
    topic: Topic, qrels: Qrels, measure: str, reader: User | AnonymousUser, chosen: Sequence[Run], index: int
) -> ValueLine | None:
    """Return the values of all visible runs; None if the qrels lack the topic or nothing is scored."""
    if topic.number not in qrels.topics:
        return None
    stored = MeasureValue.objects.visible_to(reader).filter(qrels=qrels, measure=measure)
    column = f"values__{qrels.topics.index(topic.number)}"
    rows = list(stored.filter(run__in=Run.objects.accepted()).values_list("run", column))
    values = {run: value for run, value in rows if value is not None}
    if not values:
        return None
    return ValueLine(qrels, 24 + STEP * index, values, tuple(run.pk for run in chosen))


def _x(value: float) -> float:
    return round(LEFT + WIDTH * min(max(value, 0.0), 1.0), 1)


def run_lines(lines: Sequence[ValueLine], reader: User | AnonymousUser) -> list[RunLine]:
    """Return every run with a value on the topic, best first by the first line."""
    runs = scored_runs(lines[0].qrels, reader) if lines else []
    listed = [RunLine(run, tuple(line.value(run) for line in lines)) for run in runs]
    return sorted(listed, key=lambda row: -np.inf if row.values[0] is None else row.values[0], reverse=True)


def ordered_topics(
    task: Task, reader: User | AnonymousUser, qrels: Qrels | None, measure: str, runs: Sequence[Run]
) -> list[tuple[int, str]]:
    """Return (primary key, number) of the visible topics: where the two runs differ most first.

    Without qrels or a second run they are ordered by number, as are topics without a value.
    """
    topics = list(visible_topics(task, reader).values_list("pk", "number"))
    if qrels is None or len(runs) < 2:
        return topics
    first, second = values_of(qrels, runs[:2], measure)
    gaps = dict(zip(qrels.topics, np.nan_to_num(np.abs(first - second)).tolist(), strict=True))
    return sorted(topics, key=lambda topic: (-gaps.get(topic[1], 0.0), topic[1]))
