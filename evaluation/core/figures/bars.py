"""Bars: one count per topic, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, number

WIDE = Frame(width=892, height=122, left=50, right=886, top=20, bottom=100)
FILLED = 0.7  # share of a bar's slot; the rest is the gap
WIDEST = 24.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One topic's bar."""

    name: str
    count: int
    path: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Ticks of the counts, and the bars in their order."""

    frame: Frame
    y_ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]


def bars(counts: Sequence[tuple[str, int]], *, frame: Frame = WIDE) -> Bars:
    """Place pairs of topic and count; the axis goes from 0 to the largest count."""
    axis = Axis(0.0, float(max((count for _, count in counts), default=0) or 1), frame.bottom, frame.top)
    slot = (frame.right - frame.left) / max(len(counts), 1)
    width = min(slot * FILLED, WIDEST)
    placed = (
        Bar(name, count, _path(frame.left + place * slot, width, axis.at(count), axis.start))
        for place, (name, count) in enumerate(counts)
    )
    return Bars(frame, axis.ticks(2), tuple(placed))


def _path(x: float, width: float, top: float, bottom: float) -> str:
    return f"M{number(x)} {number(bottom)}V{number(top)}h{number(width)}V{number(bottom)}z"
