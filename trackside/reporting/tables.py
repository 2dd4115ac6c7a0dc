"""Tables, figures and sections: views of a report's results, as pages, files and the API show them.

Nothing reads a number from a table: results are in ``trackside.findings``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from trackside.statistics.estimate import Number, Reason
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown

MINUS = "\N{MINUS SIGN}"
ABSENT = "–"
EVERY = "all"  # measure of the rows that every choice of a measure shows
_PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_SLUG = 80  # characters of a name for files, before the digits of a hash
P, LEAST_P = "p", 0.001  # the form of a p; a smaller p is shown as "<0.001"

Cell = str | int | float | Number | None


class Selector(StrEnum):
    """What a page's form selects rows by."""

    MEASURE = "measure"
    FAMILY = "family"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and the format of its numbers; an empty form is text.

    A form is a Python format specification, or "p". ``estimand`` names what the numbers and their intervals
    estimate. A page shows only the rows with the selected measure or family in a column with a ``selector``.
    """

    name: str
    form: str = ""
    has_interval: bool = False
    estimand: str = ""
    selector: Selector | None = None

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers, which are aligned right."""
        return bool(self.form)

    def text(self, cell: Cell) -> str:
        """Format the cell for people; None is a dash."""
        match cell:
            case None:
                return ABSENT
            case Number():
                return self._number(cell)
            case str():
                return cell
        return _formatted(cell, self.form)

    def _number(self, cell: Number) -> str:
        """Such as "0.81 (0.60 to 0.92)", "0.81" without an interval, or "undefined (reason)"."""
        if cell.value is None:
            return f"undefined ({cell.reason.words})" if cell.reason else ABSENT
        numbers = (cell.value, cell.low, cell.high)
        value, *ends = (_formatted(number, self.form) for number in numbers if number is not None)
        return f"{value} ({' to '.join(ends)})" if ends else value


@dataclass(frozen=True, slots=True, repr=False)
class Table(Shown):
    """Rows under columns. A page filters by the columns named measure, family and judge."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def _shown(self) -> Outline:
        line = f"{self.name}: {counted(len(self.rows), 'row')}. {self.caption}"
        return Outline(line, tuple(column.name for column in self.columns), self.texts())

    def texts(self) -> list[list[str]]:
        """The cells formatted for people, without the header."""
        return [
            [column.text(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows
        ]

    def interval_notes(self) -> list[str]:
        """Name the columns that lack intervals: one sentence for each reason."""
        columns: dict[Reason, list[str]] = {}
        for index, column in enumerate(self.columns):
            cells = (row[index] for row in self.rows)
            for reason in {cell.missing for cell in cells if isinstance(cell, Number) and cell.missing}:
                columns.setdefault(reason, []).append(column.name)
        return [f"No interval of {', '.join(columns[reason])}: {reason.words}." for reason in sorted(columns)]

    def where(self, *, measure: str | None = None, family: str | None = None) -> Table:
        """Select the rows of a measure and a family; None selects all."""
        accepted = {Selector.MEASURE: (measure, EVERY), Selector.FAMILY: (family,)}
        tests = [
            (index, accepted[column.selector])
            for index, column in enumerate(self.columns)
            if column.selector and accepted[column.selector][0]
        ]
        rows = tuple(row for row in self.rows if all(row[index] in values for index, values in tests))
        return Table(self.name, self.caption, self.columns, rows, self.notes)


def table_of(
    name: str,
    caption: str,
    columns: Iterable[Column],
    rows: Iterable[Iterable[Cell]],
    notes: tuple[str, ...] = (),
) -> Table:
    """The table of these rows."""
    return Table(name, caption, tuple(columns), tuple(map(tuple, rows)), notes)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing as SVG, its sentence, the table with its numbers, and the measure and family shown."""

    name: str
    title: str
    caption: str
    svg: str
    table: str
    measure: str = ""
    family: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One question and its answer: sentences, tables and figures."""

    name: str
    title: str
    says: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()

    def with_rows(self) -> Section:
        """Leave out the tables without a row, and their figures."""
        tables = tuple(table for table in self.tables if table.rows)
        empty = {table.name for table in self.tables} - {table.name for table in tables}
        figures = tuple(figure for figure in self.figures if figure.table not in empty)
        return Section(self.name, self.title, self.says, tables, figures)


def _formatted(value: float, form: str) -> str:
    if form == P:
        return f"<{LEAST_P}" if value < LEAST_P else f"{value:.3f}"
    text = format(value, form).replace("%", " %")
    # A value that rounds to zero has no sign.
    if text.startswith("-") and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return text.replace("-", MINUS) if "e" not in text else text


def slug(kind: str, *names: str, measure: str = "") -> str:
    """A name for files, URLs and ids; different names differ, by digits of a hash if need be."""
    parts = [kind, measure, *names]
    words = ["".join(char if char.isascii() and char.isalnum() else "-" for char in part) for part in parts]
    plain = "-".join(part for part in "-".join(words).lower().split("-") if part)
    is_long = len(plain) > MOST_SLUG
    if is_long or any(not _PLAIN.fullmatch(name) for name in names) or (measure and names):
        plain = f"{plain[:MOST_SLUG]}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:6]}"
    return plain
