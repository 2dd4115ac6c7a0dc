"""Write a table of the report as CSV, JSON or LaTeX."""

import csv
import io
import json
from collections.abc import Callable

from trackside.reporting.tables import Cell, Column, Table
from trackside.reporting.writers.stored import digits, rounded, table_json
from trackside.statistics.estimate import Number
from trackside.text.csv_cells import escape_formula
from trackside.text.latex import booktabs

ENDS = ("", " low", " high", " interval")  # of the names of columns with intervals


def csv_text(table: Table) -> str:
    """RFC 4180 lines with ten significant digits; a column with intervals has three more, formulas escape."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    names = ((column.name, ENDS if column.has_interval else ENDS[:1]) for column in table.columns)
    writer.writerow([escape_formula(name + end) for name, ends in names for end in ends])
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        writer.writerow([text for column, cell in cells for text in _plain(column, cell)])
    return lines.getvalue()


def json_text(table: Table, basis: str) -> str:
    """Return ``stored.table_json`` of the table, rounded as in its CSV, with the basis of its numbers."""
    content = rounded(table_json(table)) | {"basis": basis}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def latex_text(table: Table, basis: str) -> str:
    """Return a booktabs tabular with the numbers formatted as on the page."""
    columns = "".join("r" if column.is_number else "l" for column in table.columns)
    rows = [[column.name for column in table.columns], *table.texts()]
    comment = f"{table.caption} {' '.join(table.interval_notes())} {basis}"
    return "\n".join(booktabs(rows, columns, comment=comment)) + "\n"


WRITERS: dict[str, Callable[[Table, str], str]] = {
    "csv": lambda table, _basis: csv_text(table),  # a comment would break its readers
    "json": json_text,
    "tex": latex_text,
}


def _plain(column: Column, cell: Cell) -> list[str]:
    blanks = [""] * (3 * column.has_interval)
    if not isinstance(cell, Number):
        return [_digits(cell), *blanks]
    text = column.text(cell) if cell.value is None else _digits(cell.value)
    if not column.has_interval or cell.interval is None:
        return [text, *blanks]
    how = f"none ({cell.missing.words})" if cell.missing else str(cell.interval.method or "")
    return [text, _digits(cell.low), _digits(cell.high), how]


def _digits(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return digits(cell) if isinstance(cell, float) else str(escape_formula(cell))
