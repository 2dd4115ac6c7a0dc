"""Scatter of all judges: one mark per run and judge, people on the x axis and the judge on the y axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, padded_range
from evaluation.core.figures.scatter import Line
from evaluation.core.figures.series import mark_place, series_mark

WIDE = Frame(width=560, height=424, left=44, right=548, top=22, bottom=384)


@dataclass(frozen=True, slots=True)
class JudgedRun:
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

    run: JudgedRun
    path: str


@dataclass(frozen=True, slots=True)
class JudgeScatter:
    """Ticks, marks and the line of equal values; both axes have the same range."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[JudgedMark, ...]
    identity: Line


def judge_scatter(runs: Sequence[JudgedRun], *, frame: Frame = WIDE) -> JudgeScatter:
    """Place the runs of all judges; those in focus are drawn last, on top."""
    low, high = padded_range(value for run in runs for value in (run.across, run.up))
    x_axis, y_axis = Axis(low, high, frame.left, frame.right), Axis(low, high, frame.bottom, frame.top)
    ordered = sorted(runs, key=lambda run: run.is_in_focus)
    return JudgeScatter(
        frame,
        x_axis.ticks(),
        y_axis.ticks(),
        tuple(
            JudgedMark(run, series_mark(mark_place(run.series), x_axis.at(run.across), y_axis.at(run.up)))
            for run in ordered
        ),
        Line(x_axis.at(low), y_axis.at(low), x_axis.at(high), y_axis.at(high)),
    )
