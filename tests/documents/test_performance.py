"""The tables of docs/performance.md are those of the stored results."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import results
from tests.benchmarks.measuring import Row
from tests.benchmarks.results import HEADING, PAGE, Result, tables

ROWS = (Row("a run", "2.0x", "3x", "", False),)
RESULT = Result(
    "reading",
    "abc1234",
    "2026-11-23",
    "2 cores",
    (0.25, 1.5),
    False,
    ROWS,
)


def test_page_has_the_stored_results() -> None:
    assert PAGE.read_text().partition(f"{HEADING}\n\n")[2] == tables()


def test_stored_result_is_read_as_it_was_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    RESULT.save()
    assert Result.read(tmp_path / "results/reading.json") == RESULT
    assert tables() == (
        "`python -m tests.benchmarks reading`: commit abc1234, 2026-11-23, 2 cores, load 0.2 to 1.5.\n\n"
        "| what | measured | target | | beside |\n|---|---|---|---|---|\n"
        "| a run | 2.0x | 3x | missed |  |\n"
    )
