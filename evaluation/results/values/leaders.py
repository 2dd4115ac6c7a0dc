"""The best runs of released tasks, for pages that show several tasks, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import AnonymousUser

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.results.values.actions import GRADED_MEASURES, with_gains
from evaluation.results.values.models import MeasureValue
from evaluation.submissions.runs.models import Run
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.figures.svg.forest import ForestRow, forest_svg
from trackside.measuring import parse_measure
from trackside.statistics.estimate import Interval
from trackside.uncertainty.means import mean_intervals

Scored = tuple[float, str, int, int]  # mean, tag, run and team

SHOWN = 5
PLOT = 170.0  # width of the axis beside names in a narrow column


@dataclass(frozen=True)
class Leader:
    """A run with its mean and interval by people's grades."""

    run: Run
    mean: float
    interval: Interval


@dataclass(frozen=True)
class Leaders:
    """The best runs of a task by its first measure, best first, and how many runs and teams there are."""

    qrels: Qrels
    measure: str
    best: tuple[Leader, ...]
    run_count: int
    team_count: int

    @property
    def svg(self) -> str:
        """The best runs with their intervals on one axis."""
        rows = [
            ForestRow(row.run.tag, "oth", row.mean, row.interval.low, row.interval.high, f"{row.mean:.4f}")
            for row in self.best
        ]
        return forest_svg(
            rows,
            name=f"best-{self.qrels.pk}",
            title="The best runs with 95 % intervals",
            desc="; ".join(f"{row.name} {row.text}" for row in rows),
            axis=self.measure,
            zero=None,
            plot=PLOT,
        )


def find_leaders(tasks: Sequence[Task], reader: User | AnonymousUser) -> dict[int, Leaders]:
    """Return the leaders of tasks that are released to the reader and scored, by the task's primary key."""
    qrels = _people_qrels(tasks, reader)
    measures = _first_measures(tasks)
    scored = _scored(list(qrels.values()), measures, reader)
    best = {task: sorted(rows, key=_place)[:SHOWN] for task, rows in scored.items()}
    run_ids = [run for rows in best.values() for _, _, run, _ in rows]
    runs = Run.objects.select_related("team").in_bulk(run_ids)
    values = _values(list(qrels.values()), run_ids, measures)
    leaders = {}
    for task, rows in best.items():
        arrays = [values[run, measures[task]] for _, _, run, _ in rows]
        leaders[task] = Leaders(
            qrels[task],
            measures[task],
            _with_intervals([(mean, runs[run]) for mean, _, run, _ in rows], arrays, measures[task]),
            len(scored[task]),
            len({team for *_, team in scored[task]}),
        )
    return leaders


def _values(
    qrels: Sequence[Qrels], runs: Sequence[int], measures: dict[int, str]
) -> dict[tuple[int, str], list[float | None]]:
    """Return the values on each topic, by run and measure."""
    stored = MeasureValue.objects.filter(qrels__in=qrels, run__in=runs, measure__in=set(measures.values()))
    rows = stored.values_list("run", "measure", "values")
    return {(run, measure): values for run, measure, values in rows}


def _first_measures(tasks: Sequence[Task]) -> dict[int, str]:
    """Return the measure that each task's leaderboard shows first."""
    latest = Criteria.objects.filter(task__in=tasks).order_by("task_id", "-version").distinct("task_id")
    criteria = {each.task_id: each for each in latest}
    names = {task.pk: task.measures[0] if task.measures else GRADED_MEASURES[0] for task in tasks}
    return {
        task: with_gains(name, criteria[task]) if task in criteria else name for task, name in names.items()
    }


def _people_qrels(tasks: Sequence[Task], reader: User | AnonymousUser) -> dict[int, Qrels]:
    """Return the newest qrels by people of each released task."""
    released = Task.objects.released_to(reader).filter(pk__in=[task.pk for task in tasks])
    current = Qrels.objects.filter(task__in=released, kind=QrelsKind.HUMAN).current()
    by_age = sorted(current.defer("provenance", "topics"), key=lambda qrels: qrels.created_at)
    return {qrels.task_id: qrels for qrels in by_age}


def _scored(
    qrels: Sequence[Qrels], measures: dict[int, str], reader: User | AnonymousUser
) -> dict[int, list[Scored]]:
    """Return the means of the accepted runs by each task's first measure."""
    accepted = Run.objects.released_to(reader).values("pk")
    stored = MeasureValue.objects.filter(
        qrels__in=qrels, measure__in=set(measures.values()), run__in=accepted
    )
    scored: dict[int, list[Scored]] = defaultdict(list)
    rows = stored.values_list("qrels__task", "measure", "mean", "run__tag", "run", "run__team")
    for task, measure, mean, tag, run, team in rows:
        if measures[task] == measure and mean is not None:
            scored[task].append((mean, tag, run, team))
    return scored


def _place(row: Scored) -> tuple[float, str]:
    """Return the sort key: the highest mean first, equal means by tag, as on the leaderboard."""
    return -row[0], row[1]


def _with_intervals(
    best: Sequence[tuple[float, Run]], values: Sequence[Sequence[float | None]], measure: str
) -> tuple[Leader, ...]:
    bounds = parse_measure(measure).bounds
    intervals = mean_intervals(np.array(values, dtype=np.float64), bounds=bounds).intervals
    return tuple(Leader(run, mean, interval) for (mean, run), interval in zip(best, intervals, strict=True))
