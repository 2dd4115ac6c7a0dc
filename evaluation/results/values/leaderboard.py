"""The leaderboard of a task: for organizers, after the release for everybody except assessors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.expressions import ArraySubquery
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.platform.access.people import User, organizes
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.results.values.actions import shown_measures
from evaluation.results.values.models import MeasureValue
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.models import Run
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from trackside.arrays import Floats
from trackside.figures.svg.forest import shared_axis, sign_svg
from trackside.measuring import parse_measure
from trackside.measuring.standings import Standing, standings
from trackside.reporting.tables import Cell, Column, Table
from trackside.reporting.writers.tables import WRITERS
from trackside.statistics.estimate import Number


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
    """Return the latest versions of the visible qrels: people's first, newest first.

    Each has ``gone``, the numbers of the task's topics that left to a practice task.
    """
    annotations = {"gone": ArraySubquery(task.topics.gone().values("number"))}
    current = Qrels.objects.visible_to(reader).filter(task=task).current().annotate(**annotations)
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


TYPES = {"csv": "text/csv", "json": "application/json", "tex": "application/x-tex"}


@require_safe
def leaderboard(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Rank the runs by the measure and qrels in the URL; by default under people's qrels."""
    track_task = find_task(request, track, task)
    choices = qrels_to_choose(track_task, request.user)
    if not choices:
        is_practice = track_task.is_practice and Task.objects.released_to(request.user).contains(track_task)
        if is_practice or organizes(request.user, track_task.track_id):
            return render(request, "evaluation/values/leaderboard.html", {"task": track_task})
        raise Http404
    board = read_board(track_task, request.user, chosen_qrels(choices, request.GET.get("qrels")), request.GET)
    series = row_series(board.rows, board.families)
    numbers = [_interval(row) for row in board.rows]
    axis = shared_axis(chain.from_iterable(numbers))
    whiskers = [axis.whisker_svg(*number, series=name) for number, name in zip(numbers, series, strict=True)]
    context = {
        "task": track_task,
        "board": board,
        "qrels_choices": choices,
        "gone": board.qrels.gone,
        "axis": axis,
        "rows": list(zip(board.rows, _others(board), map(sign_svg, series), whiskers, strict=True)),
        "pair_count": len(board.rows) * (len(board.rows) - 1) // 2,
        "heads": [(name, _query(request, measure=name, sort="")) for name in board.columns],
        "sorts": {name: _query(request, sort=name) for name in SORTS} | {"value": _query(request, sort="")},
        "asked": request.GET,
        "file_query": request.GET.urlencode(),
    }
    return render(request, "evaluation/values/leaderboard.html", context)


@require_safe
def leaderboard_file(request: HttpRequest, track: str, task: str, form: str) -> HttpResponse:
    """Send the same rows as CSV, JSON or LaTeX."""
    track_task = find_task(request, track, task)
    choices = qrels_to_choose(track_task, request.user)
    if not choices or form not in WRITERS:
        raise Http404
    board = read_board(track_task, request.user, chosen_qrels(choices, request.GET.get("qrels")), request.GET)
    basis = (
        f"Qrels {board.qrels.name}, version {board.qrels.version}, sha256 {board.qrels.sha256[:12]}, "
        f"{len(board.qrels.topics)} topics; 95 % intervals of the means on new topics of this kind."
    )
    return as_file(WRITERS[form](_table(board), basis), TYPES[form], f"{track}-{task}-leaderboard.{form}")


def as_file(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """Send a text or bytes as a file of this name."""
    return HttpResponse(
        content,
        content_type=content_type if isinstance(content, bytes) else f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _interval(row: BoardRow) -> tuple[float | None, float | None, float | None]:
    standing = row.standing
    return standing.mean, standing.interval.low, standing.interval.high


def _others(board: Board) -> list[list[float | None]]:
    """Return each run's means by the measures other than the board's."""
    return [[row.means.get(name) for name in board.columns] for row in board.rows]


def _query(request: HttpRequest, **changes: str) -> str:
    """Return the URL's query string with changed parameters."""
    asked = request.GET.copy()
    for name, value in changes.items():
        asked[name] = value
    return asked.urlencode()


def _table(board: Board) -> Table:
    columns = (
        Column("run"),
        Column("team"),
        Column("families"),
        Column("rank", "d"),
        Column("letter"),
        Column(board.measure, ".4f", has_interval=True),
        Column("better than"),
        *(Column(name, ".4f") for name in board.columns),
    )
    return Table(
        "leaderboard",
        f"Runs by {board.measure}.",
        columns,
        tuple(_cells(row, others) for row, others in zip(board.rows, _others(board), strict=True)),
    )


def _cells(row: BoardRow, others: Sequence[float | None]) -> tuple[Cell, ...]:
    standing = row.standing
    places: tuple[Any, ...] = (row.run.tag, row.run.team.name, ", ".join(row.families), standing.rank)
    value = Number(standing.mean, None, standing.interval)
    return (*places, standing.letter, value, standing.better_than, *others)
