"""Confusion matrix as a grid of shaded cells."""

from dataclasses import dataclass

from evaluation.core.arrays import Ints
from evaluation.core.figures.axes import Frame, Tick

FIRST_X, FIRST_Y = 75, 47
CELL, GAP = 60, 2


@dataclass(frozen=True, slots=True)
class GridCell:
    """Items with one pair of grades: count, share of the row (None in an empty row) and shade.

    (x, y) is the upper left corner; `opacity` is between 0.05 and 0.55.
    """

    x: float
    y: float
    count: int
    share: float | None
    opacity: float
    is_same_grade: bool

    @property
    def middle(self) -> tuple[float, float]:
        """Where the cell's text is centred."""
        return self.x + CELL / 2, self.y + CELL / 2


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows by people's grade; the ticks name the grades of columns (x) and rows (y)."""

    frame: Frame
    cell: float
    columns: tuple[Tick, ...]
    rows: tuple[Tick, ...]
    cells: tuple[GridCell, ...]


def confusion_grid(matrix: Ints, scale: tuple[int, ...]) -> Grid:
    """Place a confusion matrix whose rows and columns are in the order of the scale."""
    right, bottom = FIRST_X + (CELL + GAP) * len(scale) - GAP, FIRST_Y + (CELL + GAP) * len(scale) - GAP
    frame = Frame(right + 11, bottom + 5, FIRST_X, right, FIRST_Y, bottom)
    middles = [place * (CELL + GAP) + CELL / 2 for place in range(len(scale))]
    return Grid(
        frame,
        CELL,
        tuple(Tick(FIRST_X + middle, str(grade)) for middle, grade in zip(middles, scale, strict=True)),
        tuple(Tick(FIRST_Y + middle, str(grade)) for middle, grade in zip(middles, scale, strict=True)),
        tuple(_cell(matrix, row, column) for row in range(len(scale)) for column in range(len(scale))),
    )


def _cell(matrix: Ints, row: int, column: int) -> GridCell:
    count, total = int(matrix[row, column]), int(matrix[row].sum())
    share = count / total if total else None
    x, y = FIRST_X + column * (CELL + GAP), FIRST_Y + row * (CELL + GAP)
    return GridCell(x, y, count, share, round(0.05 + 0.5 * (share or 0.0), 2), row == column)
