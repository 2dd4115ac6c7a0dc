"""Strips: one row per series, one stroke per value, a box around the middle half, and the median."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, number
from evaluation.core.figures.text_width import text_width

MOST_NAME = 220.0
ROW, STROKE, BOX = 34, 10, 16


@dataclass(frozen=True, slots=True)
class Strip:
    """One row; the box and the median are None without values."""

    name: str
    series: str
    y: float
    strokes: str
    box: tuple[float, float] | None
    median: float | None


@dataclass(frozen=True, slots=True)
class Strips:
    """Ticks of the x axis, and the rows from top to bottom."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    zero: float
    rows: tuple[Strip, ...]


StripRow = tuple[str, str, Sequence[float], tuple[float, float, float] | None]
"""Name, class, values, and first quartile, median and third quartile."""


def strips(rows: Sequence[StripRow], *, across: tuple[float, float]) -> Strips:
    """Place the rows on one axis."""
    left = 14 + min(MOST_NAME, max((text_width(name) for name, *_ in rows), default=0.0))
    frame = Frame(left + 420, 34 + ROW * len(rows) + 26, left, left + 408, 22, 22 + ROW * len(rows))
    axis = Axis(*across, frame.left, frame.right)
    return Strips(
        frame,
        axis.ticks(),
        axis.at(0.0),
        tuple(_strip(row, frame.top + ROW * (place + 0.5), axis) for place, row in enumerate(rows)),
    )


def _strip(row: StripRow, y: float, axis: Axis) -> Strip:
    name, series, values, quartiles = row
    places = sorted({axis.at(value) for value in values})
    strokes = "".join(f"M{number(x)} {number(y - STROKE / 2)}v{STROKE}" for x in places)
    if quartiles is None:
        return Strip(name, series, y, strokes, None, None)
    low, median, high = (axis.at(each) for each in quartiles)
    return Strip(name, series, y, strokes, (low, high), median)
