"""Cells of CSV files that people open in a spreadsheet, and their text."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII)
PART = 200_000  # least characters of a part, except the last


def escape_formula(value: object) -> object:
    """The value; text that a spreadsheet would run as a formula is prefixed with an apostrophe.

    Numbers, including negative ones and those in text, are unchanged. Source: OWASP, CSV Injection.
    """
    if not isinstance(value, str) or not value.startswith(FORMULA_STARTS) or NUMBER.fullmatch(value):
        return value
    return f"'{value}"


def csv_parts(rows: Iterable[Sequence[object]], *, line_end: str = "\r\n") -> Iterator[str]:
    """Yield the rows as CSV with escaped formulas, in large parts, because each part is compressed alone."""
    import csv  # each command that prints a table imports this module

    text = io.StringIO()
    writer = csv.writer(text, lineterminator=line_end)
    for row in rows:
        writer.writerow([escape_formula(cell) for cell in row])
        if text.tell() > PART:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()
