"""Cells of CSV files that people open in a spreadsheet."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def inert_cell(value: object) -> object:
    """The value; a text that a spreadsheet would run as a formula begins with an apostrophe.

    Source: OWASP, CSV Injection. Numbers, also negative ones, stay as they are.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
