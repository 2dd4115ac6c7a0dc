"""Interval in a table cell: a whisker from low to high, a dot, and a tick for a ceiling."""

from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame
from evaluation.core.statistics.estimate import Estimate, Interval

CELL = Frame(width=90, height=16, left=0, right=90, top=0, bottom=16)


@dataclass(frozen=True, slots=True)
class Whisker:
    """Coordinates on the x axis; each is None if it is not drawn."""

    frame: Frame
    low: float | None
    high: float | None
    dot: float | None
    ceiling: float | None
    zero: float


def whisker(
    value: Estimate,
    interval: Interval | None = None,
    ceiling: Estimate | None = None,
    *,
    across: tuple[float, float] = (0.0, 1.0),
) -> Whisker:
    """Place an estimate in a cell; values outside `across` are drawn at the edge."""
    axis = Axis(*across, CELL.left, CELL.right)

    def place(at: float | None) -> float | None:
        return None if at is None else axis.at(min(max(at, axis.low), axis.high))

    low, high = (interval.low, interval.high) if interval else (None, None)
    top = ceiling.value if ceiling else None
    return Whisker(CELL, place(low), place(high), place(value.value), place(top), place(0.0) or 0.0)
