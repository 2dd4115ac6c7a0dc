"""The leaderboard of a task: for organizers, after the release for everybody except assessors."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from evaluation.values.board import (
    SORTS,
    Board,
    BoardRow,
    chosen_qrels,
    qrels_to_choose,
    read_board,
    row_series,
)
from trackside.figures.svg.whisker import shared_axis, sign_svg
from trackside.reporting.tables import Cell, Column, Table
from trackside.reporting.writers.tables import WRITERS
from trackside.statistics.estimate import Number

TYPES = {"csv": "text/csv", "json": "application/json", "tex": "application/x-tex"}


@require_safe
def leaderboard(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Rank the runs by the measure and qrels in the URL; by default under people's qrels."""
    track_task = find_task(request, track, task)
    choices = qrels_to_choose(track_task, request.user)
    if not choices:
        if Task.objects.organized_by(request.user).contains(track_task):
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
    return HttpResponse(
        WRITERS[form](_table(board), basis),
        content_type=f"{TYPES[form]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{track}-{task}-leaderboard.{form}"'},
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
