"""The rows of a task's leaderboard for the qrels, measure, filters and order in its URL."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from evaluation.access.people import User
from evaluation.qrels.models import Qrels, QrelsKind
from evaluation.runs.families import Family
from evaluation.runs.models import Run
from evaluation.tracks.models import Task
from evaluation.values.actions import shown_measures
from evaluation.values.models import MeasureValue
from trackside.arrays import Floats
from trackside.measuring import parse_measure
from trackside.measuring.standings import Standing, standings


@dataclass(frozen=True)
class BoardRow:
    """One run: its rank by the chosen measure, and its means by measure."""

    run: Run
    standing: Standing
    families: tuple[str, ...]
    means: Mapping[str, float | None]


@dataclass(frozen=True)
class Board:
    """A leaderboard: `run_count`, `teams` and `families` describe all runs, before the filters.

    `withdrawn` are runs that organizers withdrew, by tag: they are listed without a rank.
    """

    qrels: Qrels
    measure: str
    measures: tuple[str, ...]
    rows: tuple[BoardRow, ...]
    run_count: int
    teams: tuple[str, ...]
    families: tuple[str, ...]
    types: tuple[str, ...]
    withdrawn: tuple[Run, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The measures other than ``measure``; those where higher is not better come last."""
        others = (name for name in self.measures if name != self.measure)
        return tuple(sorted(others, key=lambda name: name.startswith("Judged")))


def qrels_to_choose(task: Task, reader: User | AnonymousUser) -> list[Qrels]:
    """Return the latest versions of the visible qrels: people's first, newest first."""
    current = Qrels.objects.visible_to(reader).filter(task=task).current()
    order = {QrelsKind.HUMAN: 0, QrelsKind.SECOND: 1, QrelsKind.MODEL: 2}
    return sorted(current, key=lambda qrels: (order[QrelsKind(qrels.kind)], -qrels.created_at.timestamp()))


def chosen_qrels(choices: Sequence[Qrels], wanted: str | None) -> Qrels:
    """Return the qrels with that primary key, or the first."""
    return next((qrels for qrels in choices if str(qrels.pk) == wanted), choices[0])


def read_board(task: Task, reader: User | AnonymousUser, qrels: Qrels, asked: QueryDict) -> Board:
    """Return the leaderboard of the runs that have values of its measures and that the reader may see.

    It has no rows until a worker has scored the runs under new qrels or by newly chosen measures.
    """
    names = shown_measures(task)
    scored = scored_runs(qrels, reader)
    means = means_of(qrels, scored, names)
    runs = [run for run in scored if means[run.pk]]
    families = families_of(runs, reader)
    measures = tuple(name for name in names if any(name in run_means for run_means in means.values()))
    measure = asked.get("measure", "")
    measure = measure if measure in measures else (measures or names)[0]
    wanted = [run for run in runs if _is_wanted(run, families[run.pk], asked)]
    if asked.get("best"):
        wanted = _best_of_teams(wanted, means, measure)
    rows = _rows(wanted, values_of(qrels, wanted, measure), families, means, parse_measure(measure).bounds)
    sort = SORTS.get(asked.get("sort", ""))
    return Board(
        qrels,
        measure,
        measures,
        tuple(sorted(rows, key=sort) if sort else rows),
        len(runs),
        tuple(sorted({run.team.name for run in runs})),
        tuple(sorted({name for run_families in families.values() for name in run_families})),
        tuple(sorted({run.type for run in runs if run.type})),
        tuple(
            Run.objects.withdrawn_on_record().filter(task=task).select_related("team").order_by("tag", "pk")
        ),
    )


SORTS: dict[str, Callable[[BoardRow], Any]] = {
    "run": lambda row: row.run.tag,
    "team": lambda row: (row.run.team.name, row.standing.rank or np.inf),
}


def scored_runs(qrels: Qrels, reader: User | AnonymousUser) -> list[Run]:
    """Return the visible accepted runs with values under the qrels, by tag."""
    visible = MeasureValue.objects.visible_to(reader).filter(qrels=qrels)
    accepted = Run.objects.accepted().filter(task=qrels.task_id, pk__in=visible.values("run"))
    return list(accepted.select_related("team").order_by("tag"))


def families_of(runs: Sequence[Run], reader: User | AnonymousUser) -> dict[int, tuple[str, ...]]:
    """Return the names of the visible families by primary key of the run."""
    families: dict[int, tuple[str, ...]] = {run.pk: () for run in runs}
    visible = Family.objects.visible_to(reader).filter(runs__in=runs).order_by("name")
    for run, name in visible.values_list("runs", "name"):
        if run in families:
            families[run] += (name,)
    return families


def means_of(
    qrels: Qrels, runs: Sequence[Run], measures: Sequence[str]
) -> dict[int, dict[str, float | None]]:
    """Return the mean by measure, by primary key of the run."""
    means: dict[int, dict[str, float | None]] = {run.pk: {} for run in runs}
    stored = MeasureValue.objects.filter(qrels=qrels, run__in=means, measure__in=measures)
    for run, measure, mean in stored.values_list("run", "measure", "mean"):
        means[run][measure] = mean
    return means


def values_of(qrels: Qrels, runs: Sequence[Run], measure: str) -> Floats:
    """Return values of one measure, shape (runs, topics of the qrels), NaN where a run has none."""
    stored = MeasureValue.objects.filter(qrels=qrels, run__in=runs, measure=measure)
    by_run = dict(stored.values_list("run", "values"))
    nothing = [None] * len(qrels.topics)
    table = [by_run.get(run.pk, nothing) for run in runs]
    return np.array(table, dtype=np.float64).reshape(len(runs), len(qrels.topics))


def _is_wanted(run: Run, families: Sequence[str], asked: QueryDict) -> bool:
    is_team = asked.get("team", "") in ("", run.team.name)
    is_type = asked.get("type", "") in ("", run.type)
    return is_team and is_type and (not asked.get("family") or asked["family"] in families)


def _best_of_teams(
    runs: Sequence[Run], means: Mapping[int, Mapping[str, float | None]], measure: str
) -> list[Run]:
    """Return the run with the highest mean of each team; on ties the first by tag."""
    best: dict[str, tuple[float, Run]] = {}
    for run in runs:
        mean = means[run.pk].get(measure)
        height = -np.inf if mean is None else mean
        if run.team.name not in best or height > best[run.team.name][0]:
            best[run.team.name] = height, run
    return [run for _, run in best.values()]


def _rows(
    runs: Sequence[Run],
    values: Floats,
    families: Mapping[int, tuple[str, ...]],
    means: Mapping[int, Mapping[str, float | None]],
    bounds: tuple[float, float],
) -> list[BoardRow]:
    """Return the rows, best first; ``bounds`` are the bounds of the measure."""
    by_tag = {run.tag: run for run in runs}
    return [
        BoardRow((run := by_tag[standing.tag]), standing, families[run.pk], means[run.pk])
        for standing in standings(values, list(by_tag), bounds=bounds)
    ]


def row_series(rows: Sequence[BoardRow], families: Sequence[str]) -> list[str]:
    """Return the class of each row's mark: one for each of the task's first three families, else j1."""
    known = dict(zip(families, ("fam", "j3", "j4"), strict=False))
    return [next((known[name] for name in row.families if name in known), "j1") for row in rows]
