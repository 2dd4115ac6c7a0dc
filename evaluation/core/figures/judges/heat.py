"""Heat map of two coefficients of each pair of names, one above and one below the diagonal."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Frame
from evaluation.core.figures.text_width import text_width

MOST_NAME = 220.0
CELL, GAP, TOP = 46, 2, 34
LIGHTEST, DARKEST = 0.04, 0.6


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One coefficient (None if undefined), its upper left corner, shade and title; none on the diagonal."""

    x: float
    y: float
    value: float | None
    opacity: float
    title: str


@dataclass(frozen=True, slots=True)
class Heat:
    """Cells row by row; names and classes are left of the rows, classes above the columns."""

    frame: Frame
    names: tuple[tuple[float, str, str], ...]
    columns: tuple[tuple[float, str], ...]
    cells: tuple[HeatCell, ...]


def heat(
    names: Sequence[str],
    series: Sequence[str],
    table: Sequence[Sequence[float | None]],
    kinds: tuple[str, str],
) -> Heat:
    """Place a square table; `series` are classes of the names, `kinds` the coefficients above and below the
    diagonal.

    The shade ranges from a value of 0 or less to 1.
    """
    left = 30 + min(MOST_NAME, max(map(text_width, names)))
    side = (CELL + GAP) * len(names) - GAP
    frame = Frame(left + side + 8, TOP + side + 6, left, left + side, TOP, TOP + side)
    middles = [place * (CELL + GAP) + CELL / 2 for place in range(len(names))]
    return Heat(
        frame,
        tuple((TOP + at, kind, name) for at, kind, name in zip(middles, series, names, strict=True)),
        tuple((left + at, kind) for at, kind in zip(middles, series, strict=True)),
        tuple(
            _cell(table[row][column], (left, row, column), (names[row], names[column]), kinds[row > column])
            for row in range(len(names))
            for column in range(len(names))
            if row != column
        ),
    )


def _cell(value: float | None, place: tuple[float, int, int], names: tuple[str, str], kind: str) -> HeatCell:
    left, row, column = place
    shade = LIGHTEST + (DARKEST - LIGHTEST) * max(0.0, min(1.0, value or 0.0))
    title = f"{kind} of {names[0]} and {names[1]}"
    return HeatCell(left + column * (CELL + GAP), TOP + row * (CELL + GAP), value, round(shade, 2), title)
