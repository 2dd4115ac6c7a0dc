"""Claims of a report that ask for caution."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.findings import Conclusion, ConclusionCode, Findings, Number
from evaluation.core.report.sections.guardrails import guardrails_section
from evaluation.core.statistics.estimate import Interval
from tests.evaluation.core.report.judged_study import judged_study

if TYPE_CHECKING:
    from evaluation.core.report.findings import Cell


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
    report = build_report(judged_study(), code_version="1")
    table = report.table("re-ranked-by-judge")
    assert table is not None
    places = [column.name for column in table.columns]
    rows = tuple(
        tuple(cells.get(name, cell) for name, cell in zip(places, row, strict=True)) for row in table.rows
    )
    sections = [
        replace(
            section,
            tables=tuple(replace(each, rows=rows) if each is table else each for each in section.tables),
        )
        for section in report.sections
    ]
    (found,) = guardrails_section(judged_study(), Findings({}, sections)).tables
    record = found.record(guardrail="judge as ranker", judge="llava")
    assert record is not None
    verdict = record["state"]
    assert isinstance(verdict, Conclusion)
    assert verdict.outcome is state


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
    report = build_report(judged_study(), code_version="1")
    table = report.table("agreement-in-detail")
    assert table is not None
    place = [column.name for column in table.columns].index("leniency")
    number = Number(0.1, None, Interval(low, high, 0.95))
    rows = tuple((*row[:place], number, *row[place + 1 :]) for row in table.rows)
    sections = [
        replace(
            section,
            tables=tuple(replace(each, rows=rows) if each is table else each for each in section.tables),
        )
        for section in report.sections
    ]
    (found,) = guardrails_section(judged_study(), Findings({}, sections)).tables
    record = found.record(guardrail="leniency", judge="llava")
    assert record is not None
    verdict = record["state"]
    assert isinstance(verdict, Conclusion)
    assert verdict.outcome is state
