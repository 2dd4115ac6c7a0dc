"""Bump chart: the rank of each run under several sets of qrels, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evaluation.core.figures.axes import Frame, number
from evaluation.core.figures.marks import mark_path

FIRST_ROW = 52
ROW = 23
FIRST_COLUMN, LAST_COLUMN = 180, 660
WIDTH = 840
RADIUS = 5.2
NAME_Y, CROWDED_NAMES_Y = 24, (30, 13)
LETTER = 7.5  # approximate width of a letter in a column's name


@dataclass(frozen=True, slots=True)
class Stop:
    """A run's position in one column; `path` is None for a circle around (x, y)."""

    x: float
    y: float
    rank: int
    path: str | None


@dataclass(frozen=True, slots=True)
class RankLine:
    """The line of one run through all columns; its name is drawn next to the first and the last stop."""

    tag: str
    series: int
    path: str
    stops: tuple[Stop, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A set of qrels, the x of its ranks, and the y of its name."""

    name: str
    x: float
    name_y: int = NAME_Y


@dataclass(frozen=True, slots=True)
class Bump:
    """Columns and lines; the frame has one row per run."""

    frame: Frame
    columns: tuple[Column, ...]
    lines: tuple[RankLine, ...]


def bump(ranks: Mapping[str, Mapping[str, int]], series: Mapping[str, int]) -> Bump:
    """Place lines of ranks: `ranks` maps each set of qrels, in order, to the rank of each run (1 is best).

    Every set ranks the same runs; `series` is the series of each run. Lines are in order of first rank.
    """
    names = list(ranks)
    columns = _columns(names)
    tags = sorted(series, key=lambda tag: ranks[names[0]][tag]) if names else []
    lines = tuple(_line(tag, series[tag], [ranks[name][tag] for name in names], columns) for tag in tags)
    bottom = FIRST_ROW + ROW * max(len(tags) - 1, 0)
    frame = Frame(WIDTH, bottom + 19, FIRST_COLUMN, LAST_COLUMN, FIRST_ROW, bottom)
    return Bump(frame, columns, lines)


def _columns(names: Sequence[str]) -> tuple[Column, ...]:
    """Place the columns; names that would overlap alternate between two lines."""
    apart = (LAST_COLUMN - FIRST_COLUMN) / max(len(names) - 1, 1)
    is_crowded = any((len(one) + len(other) + 2) / 2 * LETTER > apart for one, other in pairwise(names))
    heights = CROWDED_NAMES_Y if is_crowded else (NAME_Y, NAME_Y)
    return tuple(
        Column(name, _column(place, len(names)), heights[place % 2]) for place, name in enumerate(names)
    )


def _column(place: int, count: int) -> float:
    return round(FIRST_COLUMN + (LAST_COLUMN - FIRST_COLUMN) * place / max(count - 1, 1), 1)


def _line(tag: str, series: int, ranks: Sequence[int], columns: Sequence[Column]) -> RankLine:
    stops = tuple(_stop(series, column.x, rank) for column, rank in zip(columns, ranks, strict=True))
    return RankLine(tag, series, _curved_path(stops), stops)


def _stop(series: int, x: float, rank: int) -> Stop:
    y = FIRST_ROW + ROW * (rank - 1)
    return Stop(x, y, rank, mark_path(series, x, y, radius=RADIUS))


def _curved_path(stops: Sequence[Stop]) -> str:
    """A smooth line of Bezier curves with horizontal tangents at the stops."""
    path = f"M{number(stops[0].x)} {number(stops[0].y)}"
    for start, end in pairwise(stops):
        bend = (end.x - start.x) * 0.4375
        path += (
            f"C{number(start.x + bend)} {number(start.y)} {number(end.x - bend)} {number(end.y)} "
            f"{number(end.x)} {number(end.y)}"
        )
    return path
