"""The table of the first page as texts."""

from trackside.reporting.tables import ABSENT
from trackside.reporting.views.first_page import FirstPage, Measured, PageRow, Tone
from trackside.text.latex import booktabs


def page_rows(page: FirstPage) -> list[list[str]]:
    """The header, second assessors, then a row for each judge; the last column is its advised use."""
    excess = [f"excess, {page.family}"] if page.family else []
    header = ["judge", "tau", "95 % interval", "pairs reversed", "kappa", *excess, "so"]
    return [header, *(_cells(row, page.family) for row in (*page.yardsticks, *page.judges))]


def latex_table(page: FirstPage) -> str:
    """The table without its last column, in LaTeX."""
    rows = [row[:-1] for row in page_rows(page)]
    return "\n".join(booktabs(rows, "lrlrl" + "l" * bool(page.family), comment=f"By {page.measure}.")) + "\n"


def _cells(row: PageRow, family: str | None) -> list[str]:
    pairs = ABSENT
    if row.pairs:
        pair_count = row.pairs.told
        pairs = f"{row.pairs.reversed:,} of {pair_count:,}" if pair_count else "none told apart"
    excess = [_with_ends(row.excess) if row.excess else ABSENT] if family else []
    name = row.name if row.so else f"{row.name} (people)"
    so = ABSENT
    if row.so:  # with the reason if the judge is not fit for something
        so = ": ".join(filter(None, (row.so.words, "" if row.so.tone is Tone.OK else row.so.reason)))
    return [name, row.tau.text, row.tau.ends, pairs, _with_ends(row.kappa), *excess, so]


def _with_ends(number: Measured) -> str:
    return number.text if number.low is None else f"{number.text} ({number.ends})"
