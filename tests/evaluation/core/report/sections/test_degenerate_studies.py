"""Sections that compare judges give a reason if there are no results, and never fail."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.design import Design, ReportRun
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Findings, Number, Section
from evaluation.core.report.sections.costs import costs_section
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.grading.judge_pairs import judge_pairs_section
from evaluation.core.report.sections.grading.retest import repeats_section
from evaluation.core.report.sections.grading.texts import texts_section
from evaluation.core.report.sections.paper.tables import paper_section
from evaluation.core.report.sections.ranking.topic_orders import topic_orders_section
from evaluation.core.report.sections.ranking.variance import variance_section
from evaluation.core.report.sections.summary.guardrails import guardrails_section
from evaluation.core.report.study import Study
from evaluation.core.report.texts import PairText
from evaluation.core.report.writers.stored import from_json, to_json
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.study import Grades, graded_set

PEOPLE: Grades = {topic: {"x": 1, "y": 0, "z": 2} for topic in ("T1", "T2", "T3")}
SAME = {"identity": "one"}
TEXTS = {("T1", docno): PairText(3, 0.5) for docno in ("x", "y", "z")}


def _study(judge: Grades, *, runs: int = 2, topics: int = 3) -> Study:
    """Two judges with the same grades, declared as one judge asked twice."""
    people = dict(list(PEOPLE.items())[:topics])
    sets = [
        graded_set("people", people, "human"),
        graded_set("judge", judge, provenance=SAME, raw_scores={("T1", "x"): 0.5} if "T1" in judge else {}),
        graded_set("again", judge, provenance=SAME),
    ]
    orders = {"x": 3.0, "z": 2.0, "y": 1.0}, {"y": 2.0, "x": 1.0}
    results = [dict.fromkeys(people, order) for order in orders]
    rankings = [Rankings.from_dict(each, tag=f"run{place}") for place, each in enumerate(results[:runs])]
    described = [ReportRun(f"run{place}", "", ("CLIP",) if place else ()) for place in range(runs)]
    design = Design((0, 1, 2), 1, ("nDCG@10", "AP"), replicates=20)
    return study_of(design, described, rankings, sets, texts=TEXTS)


def _sections(study: Study) -> list[Section]:
    sections: list[Section] = [grades_section(study)]
    sections += [section(study) for section in (topic_orders_section, variance_section, texts_section)]
    last = judge_pairs_section, repeats_section, costs_section, paper_section, guardrails_section
    for section in last:
        sections.append(section(study, Findings({}, tuple(sections))))
    return sections


CASES = {
    "one run": _study(PEOPLE, runs=1),
    "one topic": _study({"T1": PEOPLE["T1"]}, topics=1),
    "same grade throughout": _study({topic: dict.fromkeys(own, 1) for topic, own in PEOPLE.items()}),
    "nothing relevant": _study({topic: dict.fromkeys(own, 0) for topic, own in PEOPLE.items()}),
    "other topics": _study({"T9": {"x": 1}}),
    "other documents": _study({"T1": {"q": 1}}),
    "no grade": _study({}),
}


@pytest.mark.parametrize("case", CASES)
def test_sections_are_json_and_xml(case: str) -> None:
    findings = Findings({}, tuple(_sections(CASES[case])))
    stored = json.loads(json.dumps(to_json(findings), allow_nan=False))
    assert json.loads(json.dumps(to_json(from_json(stored)))) == stored
    for figure in findings.figures():
        ET.fromstring(figure.svg)
        assert "nan" not in figure.svg.lower()
        assert findings.table(figure.table) or figure.table == "means"


@pytest.mark.parametrize("case", CASES)
def test_every_row_can_be_read(case: str) -> None:
    for section in _sections(CASES[case]):
        for table in section.tables:
            assert all(len(row) == len(table.columns) for row in table.texts())


@pytest.mark.parametrize("judge", ["people's", "constant", "two runs"])
def test_no_interval_has_no_width(judge: str) -> None:
    """Twelve topics, so that intervals are printed: a value that never varies has a reason instead."""
    people = {f"T{at:02d}": {"x": at % 3, "y": 0, "z": 2} for at in range(12)}
    flat = {topic: dict.fromkeys(own, 1) for topic, own in people.items()}
    near = {topic: own | {"y": at % 2} for at, (topic, own) in enumerate(people.items())}
    judged = {"people's": people, "constant": flat, "two runs": near}[judge]
    count = 2 if judge == "two runs" else 4
    orders = [{"x": 3.0, "z": 2.0, "y": 1.0}, {"y": 2.0, "x": 1.0}, {"z": 1.0}, {"x": 1.0}][:count]
    rankings = [
        Rankings.from_dict(dict.fromkeys(people, own), tag=f"run{at}") for at, own in enumerate(orders)
    ]
    described = [ReportRun(f"run{at}", f"team{at}", ("A",) if at % 2 else ()) for at in range(count)]
    sets = [graded_set("people", people, "human"), graded_set("judge", judged)]
    study = study_of(Design((0, 1, 2), 1, ("nDCG@10",), replicates=50), described, rankings, sets)
    for table in build_report(study, code_version="0").tables():
        for row in table.rows:
            intervals = [cell.interval for cell in row if isinstance(cell, Number) and cell.interval]
            for each in intervals:
                assert (each.low is None) == (each.reason is not None), (table.name, row)
                assert each.low is None or each.high is None or each.high - each.low > 1e-9, (table.name, row)


def test_names_are_unique() -> None:
    findings = Findings({}, tuple(_sections(CASES["one run"])))
    for names in ([each.name for each in findings.tables()], [each.name for each in findings.figures()]):
        assert len(set(names)) == len(names)
