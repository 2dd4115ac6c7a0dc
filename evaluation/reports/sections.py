"""The sections of a report's pages: filtered by measure and family, with formatted numbers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from django.utils.safestring import mark_safe

from evaluation.core.figures.whisker import sign_svg
from evaluation.core.report.findings import Conclusion, Number
from evaluation.core.report.states import State, section_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.safestring import SafeString

    from evaluation.core.report.findings import Cell, Column, Figure, Section, Table
    from evaluation.core.report.states import SectionState

LONG = 100  # rows: longer tables are offered only as files
HIDDEN = ("measure", "family")  # columns with equal values in every row once chosen
DOTS = {State.COMPUTED: "", State.CAUTION: "care", State.NOT_SHOWN: "none"}


@dataclass(frozen=True)
class ShownTable:
    """A table without the columns of the filter; its rows are HTML, empty if it is too long."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: SafeString
    row_count: int
    notes: tuple[str, ...]

    @property
    def is_file_only(self) -> bool:
        """Whether the table is too long for a page."""
        return self.row_count > LONG


@dataclass(frozen=True)
class SectionLink:
    """A section in a list of all: its state as class of the style sheet and in words."""

    name: str
    title: str
    state: SectionState

    @property
    def dot(self) -> str:
        """Class of the state."""
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
    """Say what the first table with intervals estimates, and how its intervals were computed."""
    for table in tables:
        named: dict[str, list[str]] = {}
        for column in table.columns:
            if column.estimand:
                named.setdefault(column.estimand, []).append(column.name)
        intervals = [cell.interval for row in table.rows for cell in row if isinstance(cell, Number)]
        methods = dict.fromkeys(each.method.words for each in intervals if each and each.method)
        if named or methods:
            estimand = "; ".join(f"{', '.join(names)}: {words}" for words, names in named.items())
            return estimand, "; ".join(methods)
    return "", ""


def _shown(table: Table, series: Mapping[str, str]) -> ShownTable:
    shown = [place for place, column in enumerate(table.columns) if column.name not in HIDDEN]
    columns = tuple(table.columns[place] for place in shown)
    rows = () if len(table.rows) > LONG else table.rows
    # A template takes ten times as long for this many small cells.
    html = "".join(_row(columns, [row[place] for place in shown], series) for row in rows)
    return ShownTable(table.name, table.caption, columns, mark_safe(html), len(table.rows), table.notes)  # noqa: S308 - _cell escapes


def _row(columns: Sequence[Column], cells: Sequence[Cell], series: Mapping[str, str]) -> str:
    first, *others = (_cell(*each, series) for each in zip(columns, cells, strict=True))
    row_head = first.replace("<td", '<th scope="row"', 1).replace("</td>", "</th>")
    return f"<tr>{row_head}{''.join(others)}</tr>"


def _cell(column: Column, cell: Cell, series: Mapping[str, str]) -> str:
    kind = ' class="n"' if column.is_number else ""
    if isinstance(cell, str) and cell in series and not column.is_number:
        return f"<td>{sign_svg(series[cell])}{escape(cell)}</td>"
    if isinstance(cell, Conclusion):
        return f'<td class="w">{escape(cell.words)}</td>'
    if not isinstance(cell, Number) or cell.interval is None or cell.value is None:
        return f"<td{kind}>{escape(column.text(cell))}</td>"
    value, low, high = (escape(column.text(Number(each))) for each in (cell.value, cell.low, cell.high))
    if cell.missing:
        return f"<td{kind}>{value}<small>no interval: {escape(cell.missing.words)}</small></td>"
    return f"<td{kind}>{value}<small>{low} to {high}</small></td>"
