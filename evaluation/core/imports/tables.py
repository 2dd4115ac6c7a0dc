"""Rows of tables: CSV with quotes, and TSV, whose cells are the text between two tabs."""

from __future__ import annotations

import csv
import io
from itertools import chain
from typing import TYPE_CHECKING

from evaluation.core.imports.faults import ImportFault
from evaluation.core.imports.fields import NAMES, PICTURES, find_key
from evaluation.core.imports.rows import Row
from evaluation.core.imports.text_errors import NoRecords, NotText, decoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evaluation.core.imports.faults import Faults

LONGEST_CELL = 10_000_000  # characters


def table_rows(blocks: Iterable[bytes], name: str, faults: Faults, columns: Sequence[str]) -> Iterator[Row]:
    """Rows of a table; TSV if its first line has a tab, else CSV.

    The first line is the header, unless ``columns`` names the columns. Raises NotText, NoRecords.
    """
    lines = text_lines(blocks, name)
    start = next(lines)
    separator = "\t" if "\t" in start else ","
    lines = chain([start], lines)
    rows = _tab_rows(lines) if separator == "\t" else _csv_rows(lines, name)
    first = next(rows)
    header = [cell.strip() for cell in first[1]]
    if not columns:
        refuse_no_header(header, name)
    elif header != list(columns):
        rows = chain([first], rows)
    keys = list(columns) or header
    for number, cells in rows:
        place = f"line {number:,}"
        if len(cells) == len(keys):
            yield Row(place, dict(zip(keys, cells, strict=True)))
        elif any(cell.strip() for cell in cells):
            faults.add(ImportFault.COLUMN_COUNT, place, separator.join(cells))


def _tab_rows(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and cells. A quote is a character like any other."""
    for number, line in enumerate(lines, start=1):
        yield number, line.rstrip("\r\n").split("\t")


def _csv_rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(lines, strict=True)
    try:
        for cells in rows:
            yield rows.line_num, cells
    except csv.Error as error:
        raise NotText(
            f'{name}, line {rows.line_num:,}: {error}. Quote texts with " and double quotes inside them.'
        ) from error


def is_header(cells: Sequence[str]) -> bool:
    """Whether the first line names columns: each once, one of them that of names, and none is a number."""
    found = find_key(cells, (*NAMES, *PICTURES))
    return bool(found) and len(set(cells)) == len(cells) and not any(cell.isdecimal() for cell in cells)


def refuse_no_header(cells: Sequence[str], name: str) -> None:
    """Raise NoRecords if the first line is not a header."""
    if not is_header(cells):
        raise NoRecords(
            f"{name}: the first line is not a header. Name the columns there, each once and one of them id, "
            "docno or topic: id, title, description. Or upload it again and name its columns in the form."
        )


def text_lines(blocks: Iterable[bytes], name: str) -> Iterator[str]:
    """Lines with their line ends. NotText names the first that is not UTF-8."""
    line_count = 0
    for block in blocks:
        yield from io.StringIO(decoded(block, name, lines_before=line_count), newline="")
        line_count += block.count(b"\n")
