"""The sections of a report's page: filtered by measure and family, with formatted numbers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from django.utils.safestring import mark_safe

from evaluation.core.report.findings import Number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.safestring import SafeString

    from evaluation.core.report.findings import Cell, Column, Figure, Findings, Table

SHORT, LONG = 12, 100  # rows: longer tables are collapsed (SHORT) or offered only as files (LONG)
HIDDEN = ("measure", "family")  # columns with equal values in every row once chosen


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

    @property
    def is_long(self) -> bool:
        """Whether the table is collapsed."""
        return self.row_count > SHORT


@dataclass(frozen=True)
class ShownSection:
    """A section with its tables and figures for the choice; wide figures are separate."""

    name: str
    title: str
    says: tuple[str, ...]
    panels: tuple[Figure, ...]
    wide: tuple[Figure, ...]
    tables: tuple[ShownTable, ...]


def shown_sections(report: Findings, *, measure: str, family: str | None) -> Iterator[ShownSection]:
    """Yield all sections; tables without a row for the choice are omitted."""
    for section in report.sections:
        figures = [figure for figure in section.figures if figure.measure in ("", measure)]
        tables = (each.where(measure=measure, family=family) for each in section.tables)
        yield ShownSection(
            section.name,
            section.title,
            section.says,
            tuple(figure for figure in figures if not figure.is_wide),
            tuple(figure for figure in figures if figure.is_wide),
            tuple(_shown(table) for table in tables if table.rows),
        )


def _shown(table: Table) -> ShownTable:
    shown = [place for place, column in enumerate(table.columns) if column.name not in HIDDEN]
    columns = tuple(table.columns[place] for place in shown)
    rows = () if len(table.rows) > LONG else table.rows
    # A template takes ten times as long for this many small cells.
    html = "".join(_row(columns, [row[place] for place in shown]) for row in rows)
    return ShownTable(table.name, table.caption, columns, mark_safe(html), len(table.rows), table.notes)  # noqa: S308 - _cell escapes


def _row(columns: Sequence[Column], cells: Sequence[Cell]) -> str:
    first, *others = (_cell(*each) for each in zip(columns, cells, strict=True))
    row_head = first.replace("<td", '<th scope="row"', 1).replace("</td>", "</th>")
    return f"<tr>{row_head}{''.join(others)}</tr>"


def _cell(column: Column, cell: Cell) -> str:
    kind = ' class="n"' if column.is_number else ""
    if not isinstance(cell, Number) or cell.interval is None or cell.value is None:
        return f"<td{kind}>{escape(column.text(cell))}</td>"
    value, low, high = (escape(column.text(Number(each))) for each in (cell.value, cell.low, cell.high))
    if cell.missing:
        return f"<td{kind}>{value}<small>no interval: {escape(cell.missing.words)}</small></td>"
    return f"<td{kind}>{value}<small>{low} to {high}</small></td>"
