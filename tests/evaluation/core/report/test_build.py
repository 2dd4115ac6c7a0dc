"""All sections together: JSON, reproducible, and reasons for degenerate input."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.design import Design
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Number
from evaluation.core.report.writers.stored import from_json, to_json
from evaluation.core.report.writers.tables import csv_text
from tests.evaluation.core.report.study import (
    Grades,
    graded_set,
    model_set,
    ranking,
    run_list,
    small_study,
    true_grades,
)

if TYPE_CHECKING:
    from evaluation.core.report.tables import Findings


@pytest.fixture(scope="module")
def report() -> Findings:
    return build_report(small_study(), code_version="1")


def test_report_has_every_section_and_each_name_once(report: Findings) -> None:
    sections = [section.name for section in report.sections]
    assert sections[:4] == ["in-short", "order", "grades", "bias"]
    assert len(set(sections)) == len(sections)
    tables, figures = ([each.name for each in found] for found in (report.tables(), report.figures()))
    assert len(set(tables)) == len(tables)
    assert len(set(figures)) == len(figures)
    assert {figure.table for figure in report.figures()} <= set(tables)


def test_report_survives_json(report: Findings) -> None:
    assert from_json(json.loads(json.dumps(to_json(report), allow_nan=False))) == report


def test_report_is_the_same_in_another_process(report: Findings) -> None:
    code = (
        "from evaluation.core.report.build import build_report\n"
        "from evaluation.core.report.writers.tables import csv_text\n"
        "from tests.evaluation.core.report.study import small_study\n"
        "print('\\n'.join(map(csv_text, build_report(small_study(), code_version='1').tables())))"
    )
    # Another seed for hashes of strings: nothing may depend on the order of a set.
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert done.stdout == "\n".join(map(csv_text, report.tables())) + "\n"


def test_report_figures_are_readable_svg_without_style(report: Findings) -> None:
    for figure in report.figures():
        root = ET.fromstring(figure.svg)
        assert [child.tag.rpartition("}")[2] for child in root][:2] == ["title", "desc"]
        assert "style=" not in figure.svg
        assert "nan" not in figure.svg.lower().replace("nano", "")


def _report(runs: int, truth: Grades, model: Grades) -> Findings:
    design = Design((0, 1, 2), 1, ("nDCG@10", "AP"), replicates=50)
    sets = [graded_set("people", truth, "human"), graded_set("judge", model)]
    rankings = [ranking(number, true_grades()) for number in range(runs)]
    return build_report(study_of(design, run_list(), rankings, sets), code_version="1")


def _constant(grade: int) -> Grades:
    return {topic: dict.fromkeys(own, grade) for topic, own in true_grades().items()}


def _elsewhere() -> Grades:
    return {f"X{topic}": own for topic, own in true_grades().items()}


def _with_gaps() -> Grades:
    return {topic: dict(list(own.items())[:5]) for topic, own in list(true_grades().items())[:3]}


@pytest.mark.parametrize(
    ("runs", "truth", "model", "reason"),
    [
        pytest.param(1, true_grades(), true_grades(2), "too few values", id="one run"),
        pytest.param(2, true_grades(), true_grades(2), None, id="two runs"),
        pytest.param(6, true_grades(), _constant(0), "all values are equal", id="nothing relevant"),
        pytest.param(6, _constant(1), _constant(1), "only one grade was given", id="one grade"),
        pytest.param(6, true_grades(), _elsewhere(), "nothing to compare", id="no shared topics"),
        pytest.param(6, true_grades(), _with_gaps(), None, id="judge with gaps"),
    ],
)
def test_degenerate_input_is_undefined_with_the_reason(
    runs: int, truth: Grades, model: Grades, reason: str | None
) -> None:
    report = _report(runs, truth, model)
    json.dumps(to_json(report), allow_nan=False)
    cells = [cell for table in report.tables() for row in table.rows for cell in row]
    reasons = {cell.reason.words for cell in cells if isinstance(cell, Number) and cell.reason}
    assert reason is None or reason in reasons


def test_a_model_without_people_s_topics_still_has_its_own_rows() -> None:
    truth = true_grades()
    sets = [graded_set("people", truth, "human"), model_set(truth)]
    design = Design((0, 1, 2), 1, ("AP",), replicates=50)
    report = build_report(study_of(design, run_list(), [ranking(1, truth)], sets), code_version="1")
    (outcomes,) = [table for table in report.tables() if table.name == "outcomes"]
    assert [row[:3] for row in outcomes.rows] == [("clip", "ok", 96), ("clip", "refused", 2)]


def test_report_shows_the_effect_of_injected_orders_on_scores() -> None:
    truth = true_grades()
    reported = [
        {"place": "title", "shift": -0.25, "scene_count": 4, "raised_count": 1, "gap_count": 0},
        {"place": "image", "shift": None, "scene_count": 0, "raised_count": None, "gap_count": 4},
    ]
    judge = graded_set("clip", truth, provenance={"outcomes": {"ok": 1}, "susceptibility": reported})
    design = Design((0, 1, 2), 1, ("AP",), replicates=50)
    sets = [graded_set("people", truth, "human"), judge]
    report = build_report(study_of(design, run_list(), [ranking(1, truth)], sets), code_version="1")
    (outcomes,) = [table for table in report.tables() if table.name == "outcomes"]
    assert [row[1] for row in outcomes.rows][-2:] == [
        "instruction to the judge in the title, 4 pairs: raw score −0.2500, higher grade 1",
        "instruction to the judge in the image, 0 pairs: no score",
    ]


def test_figures_of_judges_and_measures_with_like_names_have_names_of_their_own() -> None:
    truth = true_grades()
    names = ("a b", "a+b", "a_b", "A B", "rel-2-a")
    sets = [graded_set("people", truth, "human"), *(graded_set(name, true_grades(2)) for name in names)]
    design = Design((0, 1, 2), 1, ("AP", "AP(rel=2)", "P@5"), replicates=20)
    study = study_of(design, run_list(), (ranking(number, truth) for number in range(6)), sets)
    report = build_report(study, code_version="1")
    for found in ([each.name for each in report.figures()], [each.name for each in report.tables()]):
        assert len(set(found)) == len(found)


def test_people_s_grades_alone_give_strata_difficulty_reach_teams_and_significance() -> None:
    truth = true_grades()
    strata = {"page": {topic: "seen" if place < 4 else "unseen" for place, topic in enumerate(truth)}}
    design = Design((0, 1, 2), 1, ("AP",), strata=strata, replicates=20)
    sets = [graded_set("people", truth, "human")]
    study = study_of(design, run_list(), (ranking(number, truth) for number in range(6)), sets)
    report = build_report(study, code_version="1")
    tables = {table.name: table for table in report.tables()}
    strata_rows = list(tables["runs-by-stratum"].records())
    assert {(row["division"], row["stratum"]) for row in strata_rows} == {
        *(("page", each) for each in ("seen", "unseen", "harmonic mean")),
        *(("difficulty", each) for each in ("hard", "medium", "easy", "harmonic mean")),
    }
    assert {row["team"] for row in tables["leave-one-team-out"].records()} == {"Kestrel", "Nordlys", "Quarry"}
    assert [row["depth"] for row in tables["depths"].records()] == [5, 10, 20]
    assert [row["run"] for row in tables["judged"].records()] == [f"run{number}" for number in range(6)]
    (best,) = tables["top-group"].records()
    assert (best["first"], best["tested"]) == ("run5", "yes")
    power = list(tables["discriminative-power"].records())
    assert [(row["qrels"], row["pairs"]) for row in power] == [("people", 15)] * 2
    assert "order" not in tables
    assert report.sections[0].tables[0].rows[0][-1] == f"run5 leads; {_against(best['not told from'])}"


def _against(others: object) -> str:
    reported = (
        f"not significantly better than {others}" if others else "significantly better than every other run"
    )
    return f"it is {reported}."
