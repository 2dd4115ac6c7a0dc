"""The sections of a report as its page shows them: for one measure and family, as people read numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.core.report.content import Number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.content import Cell, Column, Figure, Report, Table

SHORT = 20  # rows; longer tables are folded up
HIDDEN = ("measure", "family")  # columns that say the same in every row once chosen


@dataclass(frozen=True)
class ShownCell:
    """The text of a cell, and the interval that stands below it in small."""

    text: str
    interval: str
    is_number: bool


@dataclass(frozen=True)
class ShownTable:
    """A table without the columns that were chosen by."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    notes: tuple[str, ...]

    @property
    def is_long(self) -> bool:
        """Whether it is folded up."""
        return len(self.rows) > SHORT


@dataclass(frozen=True)
class ShownSection:
    """A section with what there is for the choice; figures that need the width stand apart."""

    name: str
    title: str
    says: tuple[str, ...]
    panels: tuple[Figure, ...]
    wide: tuple[Figure, ...]
    tables: tuple[ShownTable, ...]


def shown_sections(report: Report, *, measure: str, family: str | None) -> Iterator[ShownSection]:
    """All sections; tables without a row for the choice are left out."""
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
    kept = [place for place, column in enumerate(table.columns) if column.name not in HIDDEN]
    return ShownTable(
        table.name,
        table.caption,
        tuple(table.columns[place] for place in kept),
        tuple(tuple(_cell(table.columns[place], row[place]) for place in kept) for row in table.rows),
        table.notes,
    )


def _cell(column: Column, cell: Cell) -> ShownCell:
    if not isinstance(cell, Number) or cell.low is None or cell.high is None:
        return ShownCell(column.text(cell), "", column.is_number)
    ends = (column.text(Number(end)) for end in (cell.low, cell.high))
    return ShownCell(column.text(Number(cell.value)), " to ".join(ends), column.is_number)
