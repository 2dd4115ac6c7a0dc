"""Plain text tables, aligned or tab-separated."""

from collections.abc import Iterator, Sequence

from trackside.text.csv_cells import escape_formula

BLANK = ("", "–")


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns of equal width; columns of numbers and blanks below the header are right-aligned."""
    columns = list(zip(*rows, strict=True))
    is_right = [all(_is_number(cell) for cell in column[1:] if cell not in BLANK) for column in columns]
    return padded(rows, is_right)


def padded(rows: Sequence[Sequence[str]], is_right: Sequence[bool] = ()) -> Iterator[str]:
    """Columns of equal width, left-aligned but for those flagged."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_right or [False] * len(row), strict=True)
        )
        yield "  ".join(cells).rstrip()


def tabbed(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """One row per line, cells separated by tabs; tabs and line ends within cells become blanks.

    Texts that a spreadsheet would run as formulas are escaped; numbers and intervals are not.
    """
    for row in rows:
        yield "\t".join(_inert(" ".join(cell.split())) for cell in row)


def _inert(cell: str) -> str:
    is_number = all(_is_number(end) for end in cell.split(" to "))
    return cell if is_number else str(escape_formula(cell))


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace("−", "-").replace(",", "").removesuffix(" %"))
    except ValueError:
        return False
    return True
