"""Guardrails that ask for caution."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.tables import Conclusion, ConclusionCode, Findings, Number
from evaluation.core.report.sections.summary.guardrails import guardrails_section
from evaluation.core.statistics.estimate import Interval
from tests.evaluation.core.report.judged_study import judged_study

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.report.tables import Cell

    Row = tuple[Cell, ...]


def outcome(guardrail: str, table_name: str, changed: Callable[[list[str], Row], Row]) -> ConclusionCode:
    """What the guardrail concludes of the judge "llava" from a report whose table has changed rows."""
    report = build_report(judged_study(), code_version="1")
    table = report.table(table_name)
    assert table is not None
    names = [column.name for column in table.columns]
    rows = tuple(changed(names, row) for row in table.rows)
    sections = [
        replace(
            section,
            tables=tuple(replace(each, rows=rows) if each is table else each for each in section.tables),
        )
        for section in report.sections
    ]
    (found,) = guardrails_section(judged_study(), Findings({}, sections)).tables
    record = found.record(guardrail=guardrail, judge="llava")
    assert record is not None
    verdict = record["state"]
    assert isinstance(verdict, Conclusion)
    return verdict.outcome


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        ({"tau as submitted": Number(0.8), "tau re-ranked": Number(0.3)}, ConclusionCode.CAUTION),
        ({"tau as submitted": Number(0.3), "tau re-ranked": Number(0.3)}, ConclusionCode.MET),
    ],
)
def test_judge_whose_order_gets_worse_as_a_ranker_asks_for_caution(
    cells: dict[str, Cell], state: ConclusionCode
) -> None:
    def changed(names: list[str], row: Row) -> Row:
        return tuple(cells.get(name, cell) for name, cell in zip(names, row, strict=True))

    assert outcome("judge as ranker", "re-ranked-by-judge", changed) is state


@pytest.mark.parametrize(
    ("low", "high", "state"),
    [
        (0.1, 0.3, ConclusionCode.CAUTION),
        (-0.3, -0.1, ConclusionCode.CAUTION),
        (-0.1, 0.3, ConclusionCode.MET),
        (None, None, ConclusionCode.CANNOT_TELL),
    ],
)
def test_leniency_asks_for_caution_if_its_interval_excludes_zero(
    low: float | None, high: float | None, state: ConclusionCode
) -> None:
    def changed(names: list[str], row: Row) -> Row:
        place = names.index("leniency")
        return (*row[:place], Number(0.1, None, Interval(low, high, 0.95)), *row[place + 1 :])

    assert outcome("leniency", "agreement-in-detail", changed) is state
