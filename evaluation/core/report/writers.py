"""A table of the report in the forms that people and programs read: text, CSV, JSON, LaTeX."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from evaluation.core.report.content import Number
from evaluation.core.report.stored import digits, rounded, table_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.report.content import Cell, Column, Table

_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"−": "$-$", "–": "--"}
)


def csv_text(table: Table) -> str:
    """RFC 4180 lines with ten significant digits; a column with intervals has two more, "low" and "high".

    What is undefined reads "undefined (reason)".
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow([name for column in table.columns for name in _names(column)])
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        writer.writerow([text for column, cell in cells for text in _plain(column, cell)])
    return lines.getvalue()


def json_text(table: Table, basis: str) -> str:
    """The table as ``stored.table_json`` has it, in the digits of its CSV, with what its numbers rest on."""
    told = rounded(table_json(table)) | {"basis": basis}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def latex_text(table: Table, basis: str) -> str:
    """A tabular for booktabs, with the numbers as the page shows them."""
    columns = "".join("r" if column.is_number else "l" for column in table.columns)
    header = " & ".join(_escaped(column.name) for column in table.columns)
    body = [" & ".join(map(_escaped, row)) + r" \\" for row in table.texts()]
    comment = " ".join(f"{table.caption} {basis}".split())
    lines = [f"% {comment}", r"% needs \usepackage{booktabs}"]
    lines += [
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        header + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


WRITERS: dict[str, Callable[[Table, str], str]] = {
    "csv": lambda table, _basis: csv_text(table),  # a comment would break its readers
    "json": json_text,
    "tex": latex_text,
}


def _names(column: Column) -> list[str]:
    ends = ["low", "high"] if column.has_interval else []
    return [column.name, *(f"{column.name} {end}" for end in ends)]


def _plain(column: Column, cell: Cell) -> list[str]:
    if not isinstance(cell, Number):
        return [_digits(cell)] + [""] * (2 * column.has_interval)
    shown = cell.text(column.form) if cell.value is None else _digits(cell.value)
    return [shown, _digits(cell.low), _digits(cell.high)] if column.has_interval else [shown]


def _digits(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return digits(cell) if isinstance(cell, float) else str(cell)


def _escaped(text: str) -> str:
    return text.translate(_LATEX)
