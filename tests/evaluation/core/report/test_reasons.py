"""A report gives the true reason for every missing value and interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from evaluation.core.report.sections.ranking.order import order_section
from evaluation.core.report.sections.reusability import reusability_section

from evaluation.core.report.build import build_report
from evaluation.core.report.design import Design
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Number
from evaluation.core.statistics.estimate import Reason
from tests.evaluation.core.report.judged_study import judged_study
from tests.evaluation.core.report.study import (
    Grades,
    graded_set,
    ranking,
    run_list,
    small_study,
    true_grades,
    wide_study,
)
from tests.evaluation.core.report.two_runs import table_of

if TYPE_CHECKING:
    from evaluation.core.report.study import Study
    from evaluation.core.report.tables import Findings

PEOPLE_S_ROW = ("paper-table-2", "people")
"""People's own row has their noise ceiling in the column of tau, which has no interval."""


def _study(judge: Grades, runs: int = 6, again: Grades | None = None) -> Study:
    truth = true_grades()
    provenance = {"identity": "one"}
    sets = [graded_set("people", truth, "human"), graded_set("judge", judge, provenance=provenance)]
    if again is not None:
        sets.append(graded_set("again", again, provenance=provenance))
    design = Design((0, 1, 2), 1, ("AP",), replicates=50)
    return study_of(design, run_list(), (ranking(number, truth) for number in range(runs)), sets)


def _elsewhere() -> Grades:
    return {f"X{topic}": own for topic, own in true_grades().items()}


def test_lack_of_shared_topics_is_named_as_the_reason() -> None:
    """The judge graded other topics than people, and when asked again other topics than before."""
    report = build_report(_study(_elsewhere(), again=true_grades(2)), code_version="1")
    for table, columns in {
        "order": ("tau", "tau, other teams", "rho", "r", "noise ceiling", "p", "p, deciding"),
        "order-at-the-top": ("tau_AP,a", "RBO", "first run", "top 5", "largest drop"),
        "bias": ("difference in Relative Delta", "excess, points", "p", "p, corrected"),
        "over-graded-items": ("difference", "p over topics", "p"),
        "tau-by-topic": ("mean",),
        "bland-altman": ("mean difference",),
        "judges-alike": ("tau with people", "difference"),
        "repeats-order": ("tau",),
    }.items():
        found = report.table(table)
        assert found is not None
        record = found.record() if table in {"judges-alike", "repeats-order"} else found.record(judge="judge")
        assert record is not None
        for name in columns:
            number = record[name]
            assert isinstance(number, Number)
            assert (number.value, number.reason) == (None, Reason.NO_SHARED_TOPIC), (table, name)
    assert Reason.NO_SHARED_TOPIC.words == "no topic was graded by both"


@pytest.mark.parametrize(
    ("runs", "undefined"),
    [
        (1, {"tau_AP,a", "tau_AP,b", "tau_GAP", "weighted tau", "RBO", "first run", "top 5", "largest drop"}),
        (3, {"RBO", "top 5", "largest drop"}),
        (5, {"top 5"}),
        (6, set()),
    ],
)
def test_few_runs_have_no_overlap_and_no_drop(runs: int, undefined: set[str]) -> None:
    """With three runs the first five are always the same, whatever the judge's grades are."""
    study = _study(true_grades(2), runs)
    record = table_of(order_section(study), "order-at-the-top").record()
    assert record is not None
    numbers = {name: cell for name, cell in record.items() if isinstance(cell, Number)}
    assert {name for name, each in numbers.items() if each.reason is Reason.TOO_FEW} == undefined
    assert {name for name, each in numbers.items() if each.value is None} == undefined
    shallow = table_of(reusability_section(study), "depths").record()
    assert shallow is not None
    drop = shallow["largest drop"]
    assert isinstance(drop, Number)
    assert (drop.reason is Reason.TOO_FEW) is ("largest drop" in undefined)


@pytest.mark.parametrize(
    "study",
    [
        pytest.param(small_study(), id="eight topics"),
        pytest.param(wide_study(), id="twelve topics"),
        pytest.param(judged_study(), id="three models"),
        pytest.param(_study(true_grades(2), 1), id="one run"),
        pytest.param(_study(_elsewhere()), id="no shared topic"),
        pytest.param(_study({topic: dict.fromkeys(own, 0) for topic, own in true_grades().items()}), id="0"),
    ],
)
def test_every_missing_interval_has_its_reason(study: Study) -> None:
    report = build_report(study, code_version="1")
    assert not list(_unexplained(report))


def _unexplained(report: Findings) -> list[tuple[str, str]]:
    found = []
    for table in report.tables():
        for record in table.records():
            if (table.name, record.get("qrels")) == PEOPLE_S_ROW:
                continue
            for column in table.columns:
                cell = record[column.name]
                if column.has_interval and not (cell is None or _is_explained(cell)):
                    found.append((table.name, column.name))
    return found


def _is_explained(cell: object) -> bool:
    """An undefined value has a reason; a value has an interval with two ends, or one with a reason."""
    if not isinstance(cell, Number):
        return False
    if cell.value is None:
        return cell.reason is not None
    has_ends = cell.low is not None and cell.high is not None
    return cell.interval is not None and has_ends is (cell.missing is None)
