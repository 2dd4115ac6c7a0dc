"""Scatter of all judges: one mark per run and judge, people on the x axis and the judge on the y axis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Axis, Frame, Tick, padded_range
from evaluation.core.figures.labels import Label, label_room, place_labels
from evaluation.core.figures.scatter import Line
from evaluation.core.figures.series import mark_place, series_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDE = Frame(width=560, height=424, left=44, right=548, top=22, bottom=384)
RADIUS = 3.6


@dataclass(frozen=True, slots=True)
class ScatterRun:
    """A run under one judge: the judge's name and class, and whether the run is of the family in focus."""

    tag: str
    judge: str
    series: str
    is_in_focus: bool
    across: float
    up: float


@dataclass(frozen=True, slots=True)
class JudgedMark:
    """The mark of a run under one judge."""

    run: ScatterRun
    path: str


@dataclass(frozen=True, slots=True)
class FittedLine:
    """The least-squares line of one judge's runs."""

    judge: str
    series: str
    line: Line


@dataclass(frozen=True, slots=True)
class JudgeScatter:
    """Ticks, marks, lines and labels, and the line of equal values; both axes have the same range."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[JudgedMark, ...]
    fits: tuple[FittedLine, ...]
    labels: tuple[Label, ...]
    identity: Line


def judge_scatter(runs: Sequence[ScatterRun], *, frame: Frame = WIDE) -> JudgeScatter:
    """Place the runs of all judges; those in focus are drawn last, on top."""
    low, high = padded_range(value for run in runs for value in (run.across, run.up))
    by_judge: dict[str, list[ScatterRun]] = {}
    for run in runs:
        by_judge.setdefault(run.judge, []).append(run)
    inner = replace(frame, right=frame.right - label_room(list(by_judge)))
    x_axis, y_axis = Axis(low, high, inner.left, inner.right), Axis(low, high, inner.bottom, inner.top)
    fits = tuple(_fit(own, x_axis, y_axis) for own in by_judge.values())
    ends = [(each.judge, each.line.x2, each.line.y2) for each in fits]
    ordered = sorted(runs, key=lambda run: run.is_in_focus)
    return JudgeScatter(
        inner,
        x_axis.ticks(),
        y_axis.ticks(),
        tuple(_mark(run, x_axis.at(run.across), y_axis.at(run.up)) for run in ordered),
        fits,
        tuple(place_labels(ends, low=inner.top, high=inner.bottom)),
        Line(x_axis.at(low), y_axis.at(low), x_axis.at(high), y_axis.at(high)),
    )


def _mark(run: ScatterRun, x: float, y: float) -> JudgedMark:
    return JudgedMark(run, series_mark(mark_place(run.series), x, y, radius=RADIUS))


def _fit(runs: Sequence[ScatterRun], x_axis: Axis, y_axis: Axis) -> FittedLine:
    """Fit the line of one judge from the least to the greatest x, within the axes; flat for one x."""
    xs = [run.across for run in runs]
    mean_x, mean_y = sum(xs) / len(runs), sum(run.up for run in runs) / len(runs)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((run.across - mean_x) * (run.up - mean_y) for run in runs) / spread if spread else 0.0
    start, end = min(xs), max(xs)
    if slope:
        edges = sorted(mean_x + (edge - mean_y) / slope for edge in (y_axis.low, y_axis.high))
        start, end = max(start, edges[0]), min(end, edges[1])
    low, high = (mean_y + slope * (x - mean_x) for x in (start, end))
    line = Line(x_axis.at(start), y_axis.at(low), x_axis.at(end), y_axis.at(high))
    return FittedLine(runs[0].judge, runs[0].series, line)
