"""Bump chart: ranks of the same runs under several sets of qrels, one column per set and one line per run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Frame, number
from evaluation.core.figures.labels import short_names
from evaluation.core.figures.series import mark_place, series_mark
from evaluation.core.figures.text_width import fitted, fitted_apart, text_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDE, ROW = 840.0, 23.0
NAMES_WIDTH, RANKS_WIDTH = 104.0, 28.0
NAME_ROW, HEAD = 14.0, 12.0  # height of a row of column names; space between the marks and the first rank
LEAST_ROW = 11.0  # height of a run's name; if rows are closer, some names are left out
RADIUS, MONO = 3.2, 11.0


@dataclass(frozen=True, slots=True)
class Stop:
    """A run's position in one column."""

    x: float
    y: float
    rank: int
    path: str


@dataclass(frozen=True, slots=True)
class RankLine:
    """The line of one run through all columns; `name` is empty if there is no room for it."""

    tag: str
    name: str
    series: str
    path: str
    stops: tuple[Stop, ...]


@dataclass(frozen=True, slots=True)
class RankColumn:
    """A set of qrels: its class, the x of its ranks, and the text and place of its name."""

    name: str
    series: str
    x: float
    text: str
    text_x: float
    text_y: float


@dataclass(frozen=True, slots=True)
class Bump:
    """Columns and lines; the marks of the columns are at `head`."""

    frame: Frame
    head: float
    columns: tuple[RankColumn, ...]
    lines: tuple[RankLine, ...]


def bump(
    ranks: Mapping[str, Mapping[str, int]],
    series: Sequence[str],
    focus: frozenset[str] = frozenset(),
    *,
    width: float = WIDE,
    height: float | None = None,
) -> Bump:
    """Place lines of ranks: `ranks` maps each set of qrels, in order, to the rank of each run (1 is best).

    Every set ranks the same runs; `series` is the class of each set, `focus` the runs of the family in focus.
    Lines are in order of first rank, those in focus last, on top. Without a height each run has a row.
    """
    names = list(ranks)
    tags = sorted(ranks[names[0]], key=ranks[names[0]].__getitem__) if names else []
    columns, head = _columns(names, series, width)
    top, steps = head + HEAD + 6, max(len(tags) - 1, 1)
    row = ROW if height is None else min(ROW, (height - 6 - top) / steps)
    bottom = top + row * max(len(tags) - 1, 0)
    frame = Frame(width, height or bottom + 10, NAMES_WIDTH + 12, width - RANKS_WIDTH, top, bottom)
    named = _named(tags, focus, row)
    lines = []
    for tag in tags:
        own = [(column.x, ranks[column.name][tag]) for column in columns]
        places = [(x, round(top + row * (rank - 1), 1), rank) for x, rank in own]
        name = fitted(tag, NAMES_WIDTH, size=MONO, is_mono=True) if tag in named else ""
        lines.append(_line(tag, name, "fam" if tag in focus else "oth", places))
    return Bump(frame, head, columns, tuple(sorted(lines, key=lambda line: line.series == "fam")))


def _columns(
    names: Sequence[str], series: Sequence[str], width: float
) -> tuple[tuple[RankColumn, ...], float]:
    """Place the columns, and their names in as many rows as it takes to avoid overlap."""
    left, right = NAMES_WIDTH + 12, width - RANKS_WIDTH
    apart = (right - left) / max(len(names) - 1, 1)
    texts = fitted_apart(list(short_names(names).values()), 130, is_bold=True)
    widest = max((text_width(text, is_bold=True) for text in texts), default=0.0)
    rows = min(len(names), int((widest + 8) / apart) + 1) if len(names) > 1 else 1
    columns = []
    for place, (name, kind, text) in enumerate(zip(names, series, texts, strict=True)):
        x = round(left + apart * place, 1)
        half = text_width(text, is_bold=True) / 2
        text_x = round(min(max(x, half), width - half), 1)
        columns.append(RankColumn(name, kind, x, text, text_x, 12 + NAME_ROW * (place % max(rows, 1))))
    return tuple(columns), 12 + NAME_ROW * max(rows - 1, 0) + 14


def _named(tags: Sequence[str], focus: frozenset[str], row: float) -> frozenset[str]:
    """The runs whose names are drawn; runs in focus get room first, then the others by rank."""
    if row >= LEAST_ROW:
        return frozenset(tags)
    step = LEAST_ROW / row
    taken: list[int] = []
    for place in sorted(range(len(tags)), key=lambda place: (tags[place] not in focus, place)):
        if all(abs(place - other) >= step for other in taken):
            taken.append(place)
    return frozenset(tags[place] for place in taken)


def _line(tag: str, name: str, series: str, places: Sequence[tuple[float, float, int]]) -> RankLine:
    place = mark_place(series)
    stops = tuple(Stop(x, y, rank, series_mark(place, x, y, radius=RADIUS)) for x, y, rank in places)
    start = f"M{number(stops[0].x)} {number(stops[0].y)}"
    path = start + "".join(f"L{number(end.x)} {number(end.y)}" for _, end in pairwise(stops))
    return RankLine(tag, name, series, path, stops)
