"""What a report is made of: named sections of tables and figures. Page, command and files all walk these."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from evaluation.core.estimate import Estimate, Interval, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MINUS = "\N{MINUS SIGN}"
ABSENT = "–"
P, LEAST_P = "p", 0.001  # the form of a p: what is less than that is only said to be less


@dataclass(frozen=True, slots=True)
class Number:
    """A value with its interval, or None with the reason."""

    value: float | None
    reason: Reason | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, estimate: Estimate, interval: Interval | None = None) -> Self:
        """An estimate, and its interval where there is one."""
        low, high = (interval.low, interval.high) if interval else (None, None)
        return cls(estimate.value, estimate.reason, low, high)

    def text(self, form: str) -> str:
        """As people read it: "0.81 (0.60 to 0.92)", or "undefined (reason)"."""
        if self.value is None:
            return f"undefined ({self.reason.words})" if self.reason else ABSENT
        shown = _formatted(self.value, form)
        if self.low is None or self.high is None:
            return shown
        return f"{shown} ({_formatted(self.low, form)} to {_formatted(self.high, form)})"


Cell = str | int | float | Number | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and how its numbers are written for people; an empty form is text.

    A form is Python's, or "p".
    """

    name: str
    form: str = ""
    has_interval: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the column stands right."""
        return bool(self.form)

    def text(self, cell: Cell) -> str:
        """The cell as people read it; what is absent is a dash."""
        match cell:
            case None:
                return ABSENT
            case Number():
                return cell.text(self.form)
            case str():
                return cell
        return _formatted(cell, self.form)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. Columns called measure, family and judge are what a page filters by."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def texts(self) -> list[list[str]]:
        """The cells as people read them, without the header."""
        return [
            [column.text(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows
        ]

    def where(self, **wanted: str | None) -> Table:
        """The rows whose cell in each named column is the wanted one; a column that is not there, and None,
        leave all rows. A cell "all" is in every choice."""
        places = {column.name: place for place, column in enumerate(self.columns)}
        tests = [(places[name], value) for name, value in wanted.items() if value and name in places]
        rows = tuple(row for row in self.rows if all(row[at] in (value, "all") for at, value in tests))
        return Table(self.name, self.caption, self.columns, rows, self.notes)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing as SVG, the sentence above it, and the table that holds its numbers.

    ``measure`` is the one that it shows, empty for a figure that belongs to none.
    """

    name: str
    title: str
    caption: str
    svg: str
    table: str
    measure: str = ""
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """One question and its answer: sentences, tables and figures."""

    name: str
    title: str
    says: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All sections, and the facts that hold for every number: qrels hashes, topics, level, seed, versions."""

    facts: Mapping[str, Any]
    sections: Sequence[Section] = field(default_factory=tuple)

    def tables(self) -> list[Table]:
        """All tables, in the order of the sections."""
        return [table for section in self.sections for table in section.tables]

    def figures(self) -> list[Figure]:
        """All figures, in the order of the sections."""
        return [figure for section in self.sections for figure in section.figures]

    @property
    def basis(self) -> str:
        """The one line that says what every number rests on."""
        return str(self.facts["basis"])


def _formatted(value: float, form: str) -> str:
    if form == P:
        return f"<{LEAST_P}" if value < LEAST_P else f"{value:.3f}"
    text = format(value, form).replace("%", " %")
    # A value that rounds to zero has no sign.
    if text.startswith("-") and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return text.replace("-", MINUS) if "e" not in text else text


def slug(*parts: str) -> str:
    """A name for files, addresses and ids: letters, digits and single hyphens.

    Other scripts have no place there: six digits of a hash tell their names apart.
    """
    text = "-".join(parts)
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in text)
    if any(not letter.isascii() and unicodedata.category(letter)[0] not in "PZ" for letter in text):
        kept += "-" + hashlib.sha256(text.encode()).hexdigest()[:6]
    return "-".join(part for part in kept.lower().split("-") if part)
