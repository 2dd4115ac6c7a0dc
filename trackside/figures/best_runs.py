"""The best runs of a task: a name, an interval with its mean, and the number, one row each."""

from collections.abc import Sequence
from dataclasses import dataclass

from trackside.figures.axes import Axis, Frame, Tick, padded_range

LEFT, RIGHT, WIDTH = 172, 350, 420
ROW = 24
LONGEST = 22  # characters of a name; more would reach into the plot


@dataclass(frozen=True, slots=True)
class BestRun:
    """A row; the interval's ends are None if there is no interval."""

    name: str
    y: float
    low: float | None
    high: float | None
    dot: float
    value: float


@dataclass(frozen=True, slots=True)
class BestRuns:
    """Ticks of the axis below, and the rows from top to bottom."""

    frame: Frame
    ticks: tuple[Tick, ...]
    rows: tuple[BestRun, ...]


def best_runs(rows: Sequence[tuple[str, float, float | None, float | None]]) -> BestRuns:
    """Place names with mean, low and high on an axis that spans all of them."""
    axis = Axis(*padded_range(at for row in rows for at in row[1:] if at is not None), LEFT, RIGHT)
    bottom = ROW * len(rows)
    return BestRuns(
        Frame(width=WIDTH, height=bottom + 24, left=LEFT, right=RIGHT, top=4, bottom=bottom),
        axis.ticks(4),
        tuple(_placed(row, place, axis) for place, row in enumerate(rows)),
    )


def _placed(row: tuple[str, float, float | None, float | None], place: int, axis: Axis) -> BestRun:
    name, mean, *ends = row
    low, high = (None if end is None else axis.at(end) for end in ends)
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return BestRun(short, ROW * place + ROW / 2, low, high, axis.at(mean), mean)
