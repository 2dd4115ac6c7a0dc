"""Bars side by side: a topic's count, or a run's gap on it, upwards for a gain and downwards for a loss."""

from collections.abc import Sequence
from dataclasses import dataclass

from trackside.figures.axes import Axis, Frame, Tick, number

COUNTS = Frame(width=892, height=122, left=50, right=886, top=20, bottom=100)
GAPS = Frame(width=892, height=190, left=50, right=886, top=12, bottom=168)
FILLED = 0.7  # share of a bar's slot; the rest is the gap between bars
WIDEST = 24.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One topic's bar; `series` is 2 below zero, else 1; `path` is empty for 0 and without a value."""

    name: str
    value: float | None
    series: int
    path: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Ticks of the values, the y of zero, and the bars in their order."""

    frame: Frame
    y_ticks: tuple[Tick, ...]
    zero: float
    bars: tuple[Bar, ...]


def count_bars(counts: Sequence[tuple[str, int]], *, frame: Frame = COUNTS) -> Bars:
    """Place pairs of topic and count; the axis goes from 0 to the largest count."""
    highest = max((count for _, count in counts), default=0) or 1
    return _bars(counts, Axis(0.0, highest, frame.bottom, frame.top), frame, 2)


def gap_bars(
    gaps: Sequence[tuple[str, float | None]], *, up: tuple[float, float], frame: Frame = GAPS
) -> Bars:
    """Place pairs of topic and gap on an axis that includes zero; a topic without a value has no bar."""
    return _bars(gaps, Axis(min(up[0], 0.0), max(up[1], 0.0), frame.bottom, frame.top), frame, 4)


def _bars(values: Sequence[tuple[str, float | None]], axis: Axis, frame: Frame, tick_count: int) -> Bars:
    slot = (frame.right - frame.left) / max(len(values), 1)
    width, zero = number(min(slot * FILLED, WIDEST)), axis.at(0.0)
    bars = []
    for place, (name, value) in enumerate(values):
        left, top = number(frame.left + place * slot), number(axis.at(value or 0.0))
        path = f"M{left} {number(zero)}V{top}h{width}V{number(zero)}z" if value else ""
        bars.append(Bar(name, value, 2 if value and value < 0 else 1, path))
    return Bars(frame, axis.ticks(tick_count), zero, tuple(bars))
