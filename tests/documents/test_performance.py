"""The tables of docs/performance.md are those of the stored results."""

from pathlib import Path

import pytest

from tests.benchmarks import results
from tests.benchmarks.measuring import Row, growth_exponent
from tests.benchmarks.results import HEADING, PAGE, Result, is_replaced, tables, write_page

ROWS = (Row("a run", "2.0x", "3x", "", False), Row.growth("runs", {10: 1, 20: 2, 40: 4}, 1.1))
RESULT = Result("reading", "abc1234", "2026-11-23", "2 cores", (0.25, 1.5), False, ROWS, 12)
TABLES = """\
1 of 2 targets are met. Missed:

- reading: a run

### reading

Reading runs: time a million lines, tidy and untidy, peak memory, growth with size.

`python -m tests.benchmarks reading`: 12 s, commit abc1234, 2026-11-23, 2 cores, load 0.2 to 1.5.

| what | measured | target | | beside |
|---|---|---|---|---|
| a run | 2.0x | 3x | missed |  |
| runs | exponent 1.00 | under 1.1 | met | 10: 1 s; 20: 2 s; 40: 4 s |
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page whose results and hand-written rows are to be replaced."""
    page = tmp_path / "page.md"
    page.write_text(
        f"# Performance\n\n{HEADING}\n\nold\n\n## By hand\n\n"
        "| `reading` | old |\n| `reading --full` | large |\n| `check` | other |\n"
    )
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(results, "PAGE", page)
    return page


def test_page_has_the_stored_results() -> None:
    generated = PAGE.read_text().partition(f"{HEADING}\n\n")[2].partition("\n## ")[0]
    assert generated == tables()


def test_page_has_no_row_that_a_stored_result_replaces() -> None:
    assert [line for line in PAGE.read_text().splitlines() if is_replaced(line)] == []


def test_stored_result_is_read_as_it_was_saved(page: Path) -> None:
    RESULT.save()
    assert Result.read(page.with_name("results") / "reading.json") == RESULT
    assert tables() == TABLES


def test_written_page_has_the_tables_and_keeps_what_they_do_not_replace(page: Path) -> None:
    RESULT.save()
    write_page()
    assert page.read_text() == (
        f"# Performance\n\n{HEADING}\n\n{TABLES}\n## By hand\n\n"
        "| `reading --full` | large |\n| `check` | other |\n"
    )


def test_growth_of_a_square_has_exponent_two() -> None:
    assert growth_exponent({1: 3, 10: 300, 100: 30_000}) == pytest.approx(2)
