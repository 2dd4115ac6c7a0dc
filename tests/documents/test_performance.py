"""The tables of docs/performance.md are those of the stored results."""

from tests.benchmarks.results import HEADING, PAGE, is_replaced, tables


def test_page_has_the_stored_results() -> None:
    generated = PAGE.read_text().partition(f"{HEADING}\n\n")[2].partition("\n## ")[0]
    assert generated == tables()


def test_page_has_no_row_that_a_stored_result_replaces() -> None:
    assert [line for line in PAGE.read_text().splitlines() if is_replaced(line)] == []
