"""Every interval and p of a report has a simulation, or a reason why it needs none or is not printed."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.tables import Findings, Number
from evaluation.core.report.texts import PairText
from tests.evaluation.core.report.judged_study import DOCNOS, TOPICS, judged_study
from tests.evaluation.core.report.study import wide_study
from tests.simulations.__main__ import PAGE, page
from tests.simulations.inventory import COPIED, IN_SAVING, NEVER, OTHER, SIMULATED, kinds
from tests.simulations.rows import ASKED, OUTSIDE, is_far_outside

DOCS = Path(__file__).parents[4] / "docs"
LISTS = (SIMULATED, IN_SAVING, COPIED, NEVER, OTHER)


def _report() -> Findings:
    """All sections: repeats, raw scores, costs, texts and runs related to a judge."""
    texts = {
        (topic, docno): PairText(10 + place, place / 16)
        for topic in TOPICS
        for place, docno in enumerate(DOCNOS)
    }
    strata = {"page": dict.fromkeys(TOPICS, "seen")}
    return build_report(judged_study(texts=texts, strata=strata), code_version="1")


@cache
def _rows(part: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DOCS / "simulations" / f"{part}.json").read_text())["rows"]
    return found


def test_every_kind_of_interval_and_p_is_listed_once() -> None:
    listed = [kind for each in LISTS for kind in each]
    assert len(listed) == len(set(listed))
    assert {kind for kind, _ in kinds(_report())} == set(listed)


def test_every_simulated_kind_has_rows_that_are_printed() -> None:
    for kind, (part, statistic) in SIMULATED.items():
        found = [row for row in _rows(part) if row["statistic"] == statistic and row.get("is_printed", True)]
        figures = {name for row in found for name, value in row["figures"].items() if value is not None}
        assert figures & set(ASKED), kind
    saving = (DOCS / "simulations-saving.md").read_text()
    for kind, name in IN_SAVING.items():
        assert re.search(rf"^\| {re.escape(name)} \|", saving, re.MULTILINE), kind


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(_report, id="12 topics"),
        pytest.param(lambda: build_report(wide_study(30), code_version="1"), id="30 topics"),
    ],
)
def test_no_interval_or_p_is_printed_that_simulations_do_not_confirm(report: Any) -> None:
    for kind, cell in kinds(report()):
        if kind in NEVER and isinstance(cell, Number):
            assert cell.low is cell.high is None, kind
            assert kind[1] != "p, corrected", kind
            assert cell.value is None or cell.missing is not None, kind


def test_copied_cells_equal_those_of_their_table() -> None:
    report = _report()
    for (name, column), (other, source) in COPIED.items():
        table, original = report.table(name), report.table(other)
        assert table is not None
        assert original is not None
        for record in table.records():
            keys = {key: str(record[key]) for key in ("measure", "family") if key in record}
            judge = str(record.get("judge", record.get("qrels")))
            wanted = original.record(judge=judge, **keys)
            assert wanted is None or record[column] == wanted[source], (name, column)


@pytest.mark.parametrize("part", sorted({part for part, _ in SIMULATED.values()}))
def test_printed_figures_are_inside_the_bounds_or_named_with_a_reason(part: str) -> None:
    outside = {
        (part, row["statistic"], figure)
        for row in _rows(part)
        for figure in ASKED
        if is_far_outside(part, row, figure)
    }
    assert outside == {each for each in OUTSIDE if each[0] == part}


def test_page_shows_the_stored_rows() -> None:
    """`python -m tests.simulations --render` writes it."""
    assert PAGE.read_text() == page()
