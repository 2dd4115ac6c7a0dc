"""Findings: every number, interval, p and verdict of a report, computed once.

Pages, files, the API and sentences render these and compute nothing themselves. A report is a list of
sections with tables of typed cells; each column names its estimand, each p its role.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from evaluation.core.statistics.estimate import Estimate, Interval, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FORM = 1  # format version of findings.json; increase it on an incompatible change
MINUS = "\N{MINUS SIGN}"
ABSENT = "–"
_PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
P, LEAST_P = "p", 0.001  # the form of a p; a smaller p is shown as "<0.001"


class CorrectionScope(StrEnum):
    """The inference that a column of p values permits."""

    DECLARED = "declared"
    """Corrected within the one family of hypotheses that the report declares."""
    WITHIN = "within"
    """Corrected only for the comparisons of its own table."""
    EXPLORATORY = "exploratory"
    """Not corrected for the other tests of the report: a hint, not a finding."""


class ConclusionCode(StrEnum):
    """Result of a test as a code; ``Conclusion`` holds the sentence."""

    FAVOURS = "favours"
    DISFAVOURS = "disfavours"
    FAVOURS_UNLESS_PEOPLE_ERR = "favours_unless_people_err"
    DISFAVOURS_UNLESS_PEOPLE_ERR = "disfavours_unless_people_err"
    NO_SIGN = "no_sign"
    CANNOT_TELL = "cannot_tell"
    SAME_ORDER = "same_order"
    NEAR_ORDER = "near_order"
    OTHER_ORDER = "other_order"
    REVERSED_ORDER = "reversed_order"
    UNRELATED_ORDER = "unrelated_order"
    UNDEFINED = "undefined"
    MET = "met"
    CAUTION = "caution"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A finding's conclusion: a code for programs and a sentence for people."""

    outcome: ConclusionCode
    words: str


@dataclass(frozen=True, slots=True)
class Number:
    """A value with its interval, or None with the reason.

    A suppressed interval has no ends and carries its own reason; None if no interval applies.
    """

    value: float | None
    reason: Reason | None = None
    interval: Interval | None = None

    @classmethod
    def of(cls, estimate: Estimate, interval: Interval | None = None) -> Self:
        """Build from an estimate and its interval; an undefined estimate has no interval."""
        return cls(estimate.value, estimate.reason, None if estimate.value is None else interval)

    @property
    def low(self) -> float | None:
        """Lower end of the interval."""
        return self.interval.low if self.interval else None

    @property
    def high(self) -> float | None:
        """Upper end of the interval."""
        return self.interval.high if self.interval else None

    @property
    def missing(self) -> Reason | None:
        """Why the interval has no ends; None if it has ends or if the number has no interval."""
        return self.interval.reason if self.interval else None

    def text(self, form: str) -> str:
        """Format for people: "0.81 (0.60 to 0.92)", "0.81" without an interval, or "undefined (reason)"."""
        if self.value is None:
            return f"undefined ({self.reason.words})" if self.reason else ABSENT
        shown = _formatted(self.value, form)
        if self.low is None or self.high is None:
            return shown
        return f"{shown} ({_formatted(self.low, form)} to {_formatted(self.high, form)})"


Cell = str | int | float | Number | Conclusion | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and the format of its numbers; an empty form is text.

    A form is a Python format specification, or "p". ``estimand`` names what the numbers and their intervals
    estimate, ``role`` the inference that a p permits.
    """

    name: str
    form: str = ""
    has_interval: bool = False
    estimand: str = ""
    role: CorrectionScope | None = None

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
                return cell.text(self.form)
            case Conclusion():
                return cell.words
            case str():
                return cell
        return _formatted(cell, self.form)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. A page filters by the columns named measure, family and judge."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def texts(self) -> list[list[str]]:
        """The cells formatted for people, without the header."""
        return [
            [column.text(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows
        ]

    def interval_notes(self) -> list[str]:
        """Name the columns that lack intervals: one sentence for each reason."""
        columns: dict[Reason, list[str]] = {}
        for place, column in enumerate(self.columns):
            cells = (row[place] for row in self.rows)
            for reason in {cell.missing for cell in cells if isinstance(cell, Number) and cell.missing}:
                columns.setdefault(reason, []).append(column.name)
        return [f"No interval of {', '.join(columns[reason])}: {reason.words}." for reason in sorted(columns)]

    def where(self, **wanted: str | None) -> Table:
        """Filter the rows by cell values of the named columns. An unknown column or a value of None does not
        filter. A cell "all" matches every value."""
        places = {column.name: place for place, column in enumerate(self.columns)}
        tests = [(places[name], value) for name, value in wanted.items() if value and name in places]
        rows = tuple(row for row in self.rows if all(row[at] in (value, "all") for at, value in tests))
        return Table(self.name, self.caption, self.columns, rows, self.notes)

    def records(self) -> Iterator[dict[str, Cell]]:
        """Yield each row as a dict of cells by column name."""
        names = [column.name for column in self.columns]
        for row in self.rows:
            yield dict(zip(names, row, strict=True))

    def record(self, **wanted: str | None) -> dict[str, Cell] | None:
        """The first row that matches ``where``; None if none matches."""
        return next(self.where(**wanted).records(), None)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing as SVG, the sentence above it, and the name of the table with its numbers.

    ``measure`` is the measure shown and ``family`` the family in focus that a reader chooses; empty if the
    figure shows no single one.
    """

    name: str
    title: str
    caption: str
    svg: str
    table: str
    measure: str = ""
    is_wide: bool = False
    family: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One question and its answer: sentences, tables and figures."""

    name: str
    title: str
    says: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All sections, and the facts that hold for every number: qrels hashes, topics, level, seed, versions."""

    facts: Mapping[str, Any]
    sections: Sequence[Section] = field(default_factory=tuple)

    def tables(self) -> list[Table]:
        """All tables, in the order of the sections."""
        return [table for section in self.sections for table in section.tables]

    def table(self, name: str) -> Table | None:
        """The table of that name; None if the report has none."""
        return next((table for table in self.tables() if table.name == name), None)

    def record(self, name: str, **wanted: str) -> dict[str, Cell]:
        """The first row of that table with these cells, by column; empty if there is none."""
        found = self.table(name)
        return (found and found.record(**wanted)) or {}

    def figures(self) -> list[Figure]:
        """All figures, in the order of the sections."""
        return [figure for section in self.sections for figure in section.figures]

    @property
    def basis(self) -> str:
        """The basis line: qrels hashes, topics, level, seed and resamples behind every number."""
        return str(self.facts["basis"])


def _formatted(value: float, form: str) -> str:
    if form == P:
        return f"<{LEAST_P}" if value < LEAST_P else f"{value:.3f}"
    text = format(value, form).replace("%", " %")
    # A value that rounds to zero has no sign.
    if text.startswith("-") and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return text.replace("-", MINUS) if "e" not in text else text


def slug(kind: str, *names: str, measure: str = "") -> str:
    """Return a name for files, URLs and ids: lower-case letters, digits and single hyphens.

    Different names give different slugs: six digits of a hash follow if a name is not a slug already, or if
    both a measure and names are given.
    """
    parts = [kind, measure, *names]
    words = ["".join(each if each.isascii() and each.isalnum() else "-" for each in part) for part in parts]
    if any(not _PLAIN.fullmatch(name) for name in names) or (measure and names):
        words.append(hashlib.sha256("\0".join(parts).encode()).hexdigest()[:6])
    return "-".join(part for part in "-".join(words).lower().split("-") if part)
