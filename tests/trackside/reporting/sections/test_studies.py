"""A report of any study has rows that can be read, drawings, and a reason for all that is missing."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.trackside.reporting.judged_study import judged_study
from tests.trackside.reporting.study import Grades, graded_set, small_study, wide_study
from trackside.files import Rankings
from trackside.reporting.build import build_report
from trackside.reporting.design import Design, ReportRun
from trackside.reporting.study import study_of
from trackside.statistics.estimate import Number

MOST_TABLES, MOST_MARKS, WIDTH = 20, 48, 400
TOPICS = [f"T{number:02d}" for number in range(12)]
PEOPLE: Grades = {topic: {"x": 1, "y": place % 2, "z": 2} for place, topic in enumerate(TOPICS)}
ORDERS = ({"x": 3.0, "z": 2.0, "y": 1.0}, {"y": 2.0, "x": 1.0}, {"z": 1.0}, {"x": 1.0})
CHANGED: Grades = {topic: own | {"x": place % 3} for place, (topic, own) in enumerate(PEOPLE.items())}
JUDGE = graded_set("judge", CHANGED, provenance={"identity": "one"})


def _constant(grade: int) -> Grades:
    return {topic: dict.fromkeys(own, grade) for topic, own in PEOPLE.items()}


def _study(*sets: Any, people: Grades = PEOPLE, runs: int = 4, families: tuple[str, ...] = ("A",)) -> Any:
    rankings = [
        Rankings.from_dict(dict.fromkeys(people, order), tag=f"run{place}")
        for place, order in enumerate(ORDERS[:runs])
    ]
    described = [ReportRun(f"run{at}", f"team{at}", families if at % 2 else ()) for at in range(runs)]
    design = Design((0, 1, 2), 1, ("nDCG@10", "AP"), replicates=50)
    return study_of(design, described, rankings, [graded_set("people", people, "human"), *sets])


def _one_topic() -> Any:
    return _study(graded_set("judge", {"T00": CHANGED["T00"]}), people={"T00": PEOPLE["T00"]})


SECOND = graded_set("second", CHANGED, "second")
STUDIES = {
    "small": small_study(),
    "wide": wide_study(30),
    "judge asked twice": judged_study(strata={"page": dict.fromkeys(TOPICS, "seen")}),
    "one run": _study(JUDGE, runs=1),
    "two runs": _study(JUDGE, runs=2),
    "one topic": _one_topic(),
    "one judge and a second assessor": _study(SECOND, JUDGE),
    "second assessor alone": _study(SECOND),
    "no family": _study(JUDGE, families=()),
    "no judge": _study(),
    "people's own grades": _study(graded_set("judge", PEOPLE)),
    "one grade of the judge": _study(graded_set("judge", _constant(1))),
    "nothing relevant by the judge": _study(graded_set("judge", _constant(0))),
    "one grade throughout": _study(graded_set("judge", _constant(1)), people=_constant(1)),
    "nothing relevant": _study(graded_set("judge", _constant(0)), people=_constant(0)),
    "other topics": _study(graded_set("judge", {"X": {"x": 1}})),
    "other documents": _study(graded_set("judge", {"T00": {"q": 1}})),
    "no grade": _study(graded_set("judge", {})),
}


@pytest.fixture(scope="module", params=STUDIES)
def findings(request: pytest.FixtureRequest) -> Any:
    return build_report(STUDIES[request.param], code_version="1")


def test_tables_are_few_named_once_and_have_rows(findings: Any) -> None:
    tables, figures = findings.tables(), findings.figures()
    assert len(tables) <= MOST_TABLES
    assert all(table.rows for table in tables)
    for names in ([table.name for table in tables], [figure.name for figure in figures]):
        assert len(set(names)) == len(names)
    assert {figure.table for figure in figures} <= {table.name for table in tables}


def test_every_row_can_be_read(findings: Any) -> None:
    for table in findings.tables():
        for row in table.texts():
            assert len(row) == len(table.columns)
            assert not {"nan", "None"} & set(row)
    for section in findings.sections:
        assert all(sentence.endswith(".") and "nan" not in sentence for sentence in section.says)


def test_an_interval_has_two_ends_apart_or_a_reason(findings: Any) -> None:
    """A judge that never varies has equal ends where the verdict stands: they are the value itself."""
    for table in findings.tables():
        for row in table.rows:
            for cell in row:
                if isinstance(cell, Number) and cell.interval:
                    interval = cell.interval
                    assert (interval.low is None) == (interval.high is None) == (interval.reason is not None)
                    if interval.low is not None and interval.high is not None and cell.value is not None:
                        assert interval.low <= cell.value <= interval.high


def test_figures_are_readable_svg_with_few_marks(findings: Any) -> None:
    for figure in findings.figures():
        root = ET.fromstring(figure.svg)
        assert [child.tag.rpartition("}")[2] for child in root][:2] == ["title", "desc"]
        assert "style=" not in figure.svg
        assert "nan" not in figure.svg
        marks = len(re.findall(r'class="[^"]* s[fh]"', figure.svg))
        areas = float(root.attrib["width"]) / WIDTH * max(float(root.attrib["height"]) / WIDTH, 1.0)
        assert marks <= MOST_MARKS * max(areas, 1.0), figure.name
