"""Cells of CSV files that people open in a spreadsheet."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(value: object) -> object:
    """The value; text that a spreadsheet would run as a formula is prefixed with an apostrophe.

    Numbers, including negative ones, are unchanged. Source: OWASP, CSV Injection.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
