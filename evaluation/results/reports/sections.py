"""The sections of a report's pages: filtered by measure and family, with formatted numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from string import ascii_letters
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe

from trackside.figures.svg.forest import sign_svg
from trackside.reporting.tables import Cell, Column, Figure, Section, Table
from trackside.statistics.estimate import Number, Reason

LONG = 200  # rows; longer tables are offered only as files
TOPIC = "topic"  # the name of a column of topics' numbers
SENTENCE = 30  # characters from which a text may wrap


@dataclass(frozen=True)
class ShownTable:
    """A table without the columns of the choice; the rows are HTML, empty if the table is too long."""

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
    def has_many_columns(self) -> bool:
        """Whether the rows of the table are cards on paper and on small screens."""
        return len(self.columns) > 8


@dataclass(frozen=True)
class ShownSection:
    """A section with its tables and figures for the choice."""

    name: str
    title: str
    says: tuple[str, ...]
    figures: list[Figure]
    tables: tuple[ShownTable, ...]


def shown_section(
    section: Section, series: Mapping[str, str], *, measure: str, family: str | None, topics: str = ""
) -> ShownSection:
    """Return a section; tables without a row for the choice are omitted. ``series`` marks names of qrels.

    ``topics`` is the address of the list of topics, to which the topics' numbers link.
    """
    figures = [
        figure
        for figure in section.figures
        if figure.measure in ("", measure) and figure.family in ("", family or "")
    ]
    tables = (table.where(measure=measure, family=family) for table in section.tables)
    return ShownSection(
        section.name,
        section.title,
        section.says,
        figures,
        tuple(shown_table(table, series, topics) for table in tables if table.rows),
    )


def shown_table(table: Table, series: Mapping[str, str], topics: str = "") -> ShownTable:
    """Return the table as HTML, without the columns that select its rows."""
    indices = [index for index, column in enumerate(table.columns) if column.selector is None]
    columns = tuple(table.columns[index] for index in indices)
    rows = [[row[index] for index in indices] for row in table.rows]
    if len(rows) > LONG:
        return ShownTable(table.name, table.caption, columns, mark_safe(""), len(rows), table.notes)
    letters = _letters(chain.from_iterable(rows))
    # No template, which takes ten times as long for so many small cells.
    lines = ([_lines(*pair, letters) for pair in zip(columns, row, strict=True)] for row in rows)
    html = "".join(_row(columns, cells, series, topics) for cells in lines)
    notes = table.notes
    if letters:
        notes += (f"{'; '.join(f'({letter}) {reason.words}' for reason, letter in letters.items())}.",)
    return ShownTable(table.name, table.caption, columns, mark_safe(html), len(rows), notes)  # noqa: S308 - _cell escapes


def _letters(cells: Iterable[Cell]) -> dict[Reason, str]:
    """Return a letter for each reason of a missing value or interval; the reasons would widen the table."""
    numbers = [cell for cell in cells if isinstance(cell, Number)]
    reasons = dict.fromkeys(reason for number in numbers if (reason := number.reason or number.missing))
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
    value, low, high = (column.text(Number(number)) for number in (cell.value, cell.low, cell.high))
    return value, f"{low} to {high}"


def _row(
    columns: Sequence[Column], cells: Sequence[Sequence[str]], series: Mapping[str, str], topics: str
) -> str:
    first, *others = (_cell(*pair, series, topics) for pair in zip(columns, cells, strict=True))
    row_head = first.replace('<td role="cell"', '<th scope="row" role="rowheader"', 1).replace(
        "</td>", "</th>"
    )
    return f'<tr role="row">{row_head}{"".join(others)}</tr>'


def _cell(column: Column, lines: Sequence[str], series: Mapping[str, str], topics: str) -> str:
    text, *more = map(escape, lines)
    if topics and column.name == TOPIC:
        text = f'<a href="{topics}?{urlencode({"number": lines[0]})}">{text}</a>'
    below = "".join(f"<small>{line}</small>" for line in more)
    sign, kind = "", ' class="n"'
    if not column.is_number:
        sign = sign_svg(series[lines[0]]) if lines[0] in series else ""
        kind = ' class="w said"' if len(lines[0]) > SENTENCE else ""
    return f'<td role="cell"{kind} data-l="{escape(column.name)}">{sign}{text}{below}</td>'
