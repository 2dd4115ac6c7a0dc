"""Scatter: one mark per run, with its values under two sets of qrels on the x and y axes."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, padded_range
from evaluation.core.figures.series import mark_place, series_mark

PANEL = Frame(width=300, height=300, left=40, right=280, top=22, bottom=264)


@dataclass(frozen=True, slots=True)
class RunPoint:
    """A run to plot: its tag, the class of its mark, whether that is filled, and its two values."""

    tag: str
    series: str
    is_filled: bool
    across: float
    up: float


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a run."""

    run: RunPoint
    path: str


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Scatter:
    """Ticks of both axes, marks, and the line of equal values (None if it is outside the axes)."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    identity: Line | None


def scatter(
    runs: Sequence[RunPoint],
    *,
    across: tuple[float, float] | None = None,
    up: tuple[float, float] | None = None,
    frame: Frame = PANEL,
) -> Scatter:
    """Place the runs; `across` and `up` are the ranges of the axes, which several panels can share.

    Without ranges both axes span all values of both, so that the line of equal values is the diagonal.
    """
    shared = padded_range(value for run in runs for value in (run.across, run.up))
    x_axis = Axis(*(across or shared), frame.left, frame.right)
    y_axis = Axis(*(up or shared), frame.bottom, frame.top)
    return Scatter(
        frame,
        x_axis.ticks(),
        y_axis.ticks(),
        tuple(_mark(run, x_axis.at(run.across), y_axis.at(run.up)) for run in runs),
        _identity(x_axis, y_axis),
    )


def _mark(run: RunPoint, x: float, y: float) -> Mark:
    return Mark(run, series_mark(mark_place(run.series), x, y))


def _identity(x_axis: Axis, y_axis: Axis) -> Line | None:
    low, high = max(x_axis.low, y_axis.low), min(x_axis.high, y_axis.high)
    if low >= high:
        return None
    return Line(x_axis.at(low), y_axis.at(low), x_axis.at(high), y_axis.at(high))
