"""A column of intervals in a table: a line and a marker per row, and ticks for the column's header."""

from collections.abc import Sequence
from dataclasses import dataclass

from trackside.figures.axes import Axis, Frame, Tick, padded_range
from trackside.figures.series import series_mark

CELL = Frame(width=170, height=18, left=4, right=166, top=0, bottom=18)


@dataclass(frozen=True, slots=True)
class Placed:
    """One row; a coordinate is None if it is not drawn. `path` is the mark's, empty without a value."""

    low: float | None
    high: float | None
    dot: float | None
    series: int
    path: str


@dataclass(frozen=True, slots=True)
class IntervalColumn:
    """Ticks for the header, and the rows in input order."""

    frame: Frame
    ticks: tuple[Tick, ...]
    rows: tuple[Placed, ...]


IntervalRow = tuple[float | None, float | None, float | None, int]
"""Value, low, high and series."""


def interval_column(rows: Sequence[IntervalRow]) -> IntervalColumn:
    """Place all rows on one axis that spans every interval."""
    every = [at for value, low, high, _ in rows for at in (value, low, high) if at is not None]
    axis = Axis(*padded_range(every), CELL.left, CELL.right)
    return IntervalColumn(CELL, axis.ticks(4), tuple(_placed(row, axis) for row in rows))


def _placed(row: IntervalRow, axis: Axis) -> Placed:
    value, low, high, series = row
    dot, start, end = (None if at is None else axis.at(at) for at in (value, low, high))
    path = "" if dot is None else series_mark(series, dot, (CELL.top + CELL.bottom) / 2)
    return Placed(start, end, dot, series, path)
