"""Histogram: one bar per bin, with the count of items as its height."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick

PANEL = Frame(width=420, height=300, left=48, right=408, top=22, bottom=256)


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """A bar in coordinates, with the range of values and the count that it represents."""

    x: float
    y: float
    width: float
    height: float
    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Ticks of both axes and the bars from left to right; empty bins have no bar."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    bars: tuple[HistogramBar, ...]


def histogram(steps: Sequence[tuple[float, float, int]], *, frame: Frame = PANEL) -> Histogram:
    """Place adjacent bins of (start, end, count); the count axis starts at zero."""
    x_axis = Axis(steps[0][0], steps[-1][1], frame.left, frame.right)
    y_axis = Axis(0.0, max(max(count for *_, count in steps), 1), frame.bottom, frame.top)
    bars = []
    for start, end, count in steps:
        if count:
            left, right, top = x_axis.at(start), x_axis.at(end), y_axis.at(count)
            width = round(max(right - left - 1, 1.0), 1)
            bars.append(HistogramBar(left, top, width, round(frame.bottom - top, 1), start, end, count))
    return Histogram(frame, x_axis.ticks(), y_axis.ticks(), tuple(bars))
