"""The columns of a wide table in parts, each with the first column, so that every part fits a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evaluation.core.figures.text_width import text_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evaluation.core.report.tables import Column

# Widths in px. A page is what a screen of 1,440 px has beside the list of sections; A4 in landscape has more.
PAGE = 1080.0
PHONE = 328.0  # between the margins of a screen of 360 px
HALF_PAPER = 640.0  # on a screen; print shows tables at three quarters of their size
FIRST = 120.0  # minimum of the first column on a phone
# From the style sheets: font of cells, font of second lines and heads, space beside a cell, a judge's mark.
SIZE, SMALL, SPACE, MARK = 14.0, 13.0, 16.0, 19.0
SENTENCE = 192.0  # minimum of a cell with a sentence
BREAK = re.compile(r"\s+|(?<=-)")  # where a browser breaks lines


def is_sentence(text: str) -> bool:
    """Whether a text would be hard to read with one or two words per line."""
    return text_width(text, size=SIZE) > SENTENCE


def parts_of(columns: Sequence[Column], rows: Sequence[Sequence[Sequence[str]]]) -> list[list[int]]:
    """Return the places of each part's columns: as few parts as possible, of similar width.

    ``rows`` are the lines in each cell of each row.
    """
    widths = _widths(columns, rows)
    parts = _filled(widths, PAGE)
    narrower = (_filled(widths, PAGE * share / 20) for share in range(1, 20))
    return next((each for each in narrower if len(each) == len(parts)), parts)


def part_width(columns: Sequence[Column], rows: Sequence[Sequence[Sequence[str]]]) -> float:
    """Return an upper bound of a part's least width in px, on a phone too."""
    first, *others = _widths(columns, rows)
    return max(first, FIRST) + sum(others)


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[Sequence[str]]]) -> list[float]:
    return [
        _width(column, (row[place] for row in rows), is_first=place == 0)
        for place, column in enumerate(columns)
    ]


def _filled(widths: Sequence[float], most: float) -> list[list[int]]:
    parts, width = [[0]], widths[0]
    for place, own in enumerate(widths[1:], 1):
        if width + own > most and len(parts[-1]) > 1:
            parts.append([0])
            width = widths[0]
        parts[-1].append(place)
        width += own
    return parts


def _width(column: Column, cells: Iterable[Sequence[str]], *, is_first: bool) -> float:
    """Return an upper bound of a column's least width; numbers and the first column have no line breaks."""
    widths = [text_width(word, size=SMALL, is_bold=True) for word in BREAK.split(column.name)]
    for text, *more in cells:
        whole = text_width(text, size=SIZE, is_bold=is_first) + MARK * is_first
        if column.is_number or is_first:
            widths += [whole, *(text_width(each, size=SMALL) for each in more)]
        else:
            widths += [SENTENCE] if is_sentence(text) else []
            widths += [text_width(word, size=SIZE) + MARK for word in BREAK.split(text)]
    return max(widths) + SPACE
