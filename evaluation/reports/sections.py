"""The sections of a report's pages: filtered by measure and family, with formatted numbers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import chain
from string import ascii_letters
from typing import TYPE_CHECKING

from django.utils.safestring import mark_safe

from evaluation.core.figures.svg.whisker import sign_svg
from evaluation.core.report.tables import Number
from evaluation.core.report.states import State, section_state
from evaluation.reports.table_parts import HALF_PAPER, PHONE, is_sentence, part_width, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.safestring import SafeString

    from evaluation.core.report.tables import Cell, Column, Figure, Section, Table
    from evaluation.core.report.states import SectionState
    from evaluation.core.statistics.estimate import Reason

LONG = 100  # rows; longer tables are offered only as files
HIDDEN = ("measure", "family")  # columns with the same value in every row of the choice
FRAMES = {640: "", 768: "to-48", 960: "to-60"}  # maximum width of a table in px: class of its frame
DOTS = {State.COMPUTED: "", State.CAUTION: "care", State.NOT_SHOWN: "none"}


@dataclass(frozen=True)
class TablePart:
    """Some columns of a table, always with the first one; the rows are HTML.

    A phone shows wide parts as cards; paper shows slim parts in two columns.
    """

    columns: tuple[Column, ...]
    rows: SafeString
    width: float

    @property
    def is_wide(self) -> bool:
        """Whether the part may scroll sideways on a phone."""
        return self.width > PHONE

    @property
    def is_slim(self) -> bool:
        """Whether two copies of the part fit beside each other on paper."""
        return self.width < HALF_PAPER


@dataclass(frozen=True)
class ShownTable:
    """A table without the columns of the filter; it has no parts if it is too long."""

    name: str
    caption: str
    parts: tuple[TablePart, ...]
    row_count: int
    notes: tuple[str, ...]

    @property
    def frame(self) -> str:
        """Class of the frame; a frame that is narrower than the widest part shows rows as cards."""
        widest = max((part.width for part in self.parts), default=0.0)
        return next((name for width, name in FRAMES.items() if widest <= width), "to-74")

    @property
    def is_file_only(self) -> bool:
        """Whether the table is too long for a page."""
        return self.row_count > LONG


@dataclass(frozen=True)
class SectionLink:
    """An entry of the list of sections, with the section's state."""

    name: str
    title: str
    state: SectionState

    @property
    def dot(self) -> str:
        """Class of the state in the style sheet."""
        return DOTS[self.state.state]


@dataclass(frozen=True)
class ShownSection:
    """A section with its tables and figures for the choice; wide figures are separate."""

    link: SectionLink
    says: tuple[str, ...]
    panels: tuple[Figure, ...]
    wide: tuple[Figure, ...]
    tables: tuple[ShownTable, ...]
    estimand: str
    method: str

    @property
    def name(self) -> str:
        """The section's name in URLs."""
        return self.link.name

    @property
    def title(self) -> str:
        """The section's heading."""
        return self.link.title

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, the wide ones first."""
        return (*self.wide, *self.panels)


def section_link(section: Section, *, measure: str, family: str | None) -> SectionLink:
    """Return the section as an entry of a list."""
    return SectionLink(section.name, section.title, section_state(section, measure=measure, family=family))


def shown_section(
    section: Section, series: Mapping[str, str], *, measure: str, family: str | None
) -> ShownSection:
    """Return a section; tables without a row for the choice are omitted. ``series`` marks names of qrels."""
    figures = figures_of(section, measure=measure, family=family)
    tables = [each.where(measure=measure, family=family) for each in section.tables]
    known = [table for table in tables if table.rows]
    return ShownSection(
        section_link(section, measure=measure, family=family),
        section.says,
        tuple(figure for figure in figures if not figure.is_wide),
        tuple(figure for figure in figures if figure.is_wide),
        tuple(_shown(table, series) for table in known),
        *_basis(known),
    )


def figures_of(section: Section, *, measure: str, family: str | None) -> list[Figure]:
    """Return the figures of the choice."""
    of_measure = (figure for figure in section.figures if figure.measure in ("", measure))
    return [figure for figure in of_measure if figure.family in ("", family or "")]


def _basis(tables: Sequence[Table]) -> tuple[str, str]:
    """Return what the first table with intervals estimates, and how its intervals were computed."""
    for table in tables:
        named: dict[str, list[str]] = {}
        for column in table.columns:
            if column.estimand:
                named.setdefault(column.estimand, []).append(column.name)
        intervals = [cell.interval for row in table.rows for cell in row if isinstance(cell, Number)]
        methods = dict.fromkeys(each.method.words for each in intervals if each and each.method)
        if named or methods:
            estimand = "; ".join(f"{', '.join(names)} ({words})" for words, names in named.items())
            return estimand, "; ".join(methods)
    return "", ""


def _shown(table: Table, series: Mapping[str, str]) -> ShownTable:
    places = [place for place, column in enumerate(table.columns) if column.name not in HIDDEN]
    columns = [table.columns[place] for place in places]
    rows = [[row[place] for place in places] for row in table.rows]
    if len(rows) > LONG:
        return ShownTable(table.name, table.caption, (), len(rows), table.notes)
    letters = _letters(chain.from_iterable(rows))
    lines = [[_lines(*each, letters) for each in zip(columns, row, strict=True)] for row in rows]
    parts = tuple(_part(columns, lines, part, series) for part in parts_of(columns, lines))
    notes = table.notes
    if letters:
        notes += (f"{'; '.join(f'({letter}) {reason.words}' for reason, letter in letters.items())}.",)
    return ShownTable(table.name, table.caption, parts, len(rows), notes)


def _letters(cells: Iterable[Cell]) -> dict[Reason, str]:
    """Return a letter for each reason of a missing value or interval; the reasons would widen the table."""
    numbers = [cell for cell in cells if isinstance(cell, Number)]
    reasons = dict.fromkeys(reason for each in numbers if (reason := each.reason or each.missing))
    return dict(zip(reasons, ascii_letters, strict=False))


def _lines(column: Column, cell: Cell, letters: Mapping[Reason, str]) -> tuple[str, ...]:
    """Return the lines of a cell: its text, then the interval or why there is none."""
    if not isinstance(cell, Number) or (cell.value is None and cell.reason is None):
        return (column.text(cell),)
    if cell.reason:
        return (f"undefined ({letters[cell.reason]})",)
    if cell.missing:
        return column.text(Number(cell.value)), f"no interval ({letters[cell.missing]})"
    if cell.interval is None:
        return (column.text(cell),)
    value, low, high = (column.text(Number(each)) for each in (cell.value, cell.low, cell.high))
    return value, f"{low} to {high}"


def _part(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Sequence[str]]],
    places: Sequence[int],
    series: Mapping[str, str],
) -> TablePart:
    own = tuple(columns[place] for place in places)
    # No template, which takes ten times as long for so many small cells.
    cells = [[row[place] for place in places] for row in rows]
    html = "".join(_row(own, row, series) for row in cells)
    return TablePart(own, mark_safe(html), part_width(own, cells))  # noqa: S308 - _cell escapes


def _row(columns: Sequence[Column], cells: Sequence[Sequence[str]], series: Mapping[str, str]) -> str:
    first, *others = (_cell(*each, series) for each in zip(columns, cells, strict=True))
    row_head = first.replace('<td role="cell"', '<th scope="row" role="rowheader"', 1).replace(
        "</td>", "</th>"
    )
    return f'<tr role="row">{row_head}{"".join(others)}</tr>'


def _cell(column: Column, lines: Sequence[str], series: Mapping[str, str]) -> str:
    text, *more = map(escape, lines)
    below = "".join(f"<small>{each}</small>" for each in more)
    sign, kind = "", ' class="n"'
    if not column.is_number:
        sign = sign_svg(series[lines[0]]) if lines[0] in series else ""
        kind = ' class="w said"' if is_sentence(lines[0]) else ""
    return f'<td role="cell"{kind} data-l="{escape(column.name)}">{sign}{text}{below}</td>'
