"""The tables of docs/performance.md are those of the stored results."""

from dataclasses import replace

from tests.benchmarks.measuring import Row
from tests.benchmarks.results import HEADING, PAGE, Result, is_replaced, measured_sources, tables


def test_page_has_the_stored_results() -> None:
    generated = PAGE.read_text().partition(f"{HEADING}\n\n")[2].partition("\n## ")[0]
    assert generated == tables(), "run: python -m tests.benchmarks --page"


def test_row_of_changed_code_is_never_met() -> None:
    row = Row("what", "2x", "1x", is_met=True)
    missed = Row("what", "2x", "3x", is_met=False)
    result = Result("check", "abc", "2026-01-01", "a machine", (0.0, 0.0), False, (row, missed))
    fresh = replace(result, sources=measured_sources("check"))
    assert (fresh.is_stale, replace(fresh, sources="other").is_stale, result.is_stale) == (False, True, True)
    assert "| met |" in str(fresh)
    assert [word in str(result) for word in ("| met |", "| stale |", "| missed |")] == [False, True, True]


def test_page_has_no_row_that_a_stored_result_replaces() -> None:
    assert [line for line in PAGE.read_text().splitlines() if is_replaced(line)] == []
