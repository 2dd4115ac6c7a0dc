"""The paper's tables take every cell from other sections; its figures show all judges in one."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from evaluation.core.report.favour.favours import find_favours
from evaluation.core.report.tables import Findings, Number, Section, slug
from evaluation.core.report.sections.families.bias import bias_section
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.paper.figures import scaled_scores
from evaluation.core.report.sections.paper.tables import paper_section
from evaluation.core.report.sections.ranking.order import order_section
from evaluation.core.report.study import Study
from tests.evaluation.core.report.judged_study import RUNS, judged_study
from tests.evaluation.core.report.two_runs import table_of

JUDGES = ("llava", "llava again", "clip")


@pytest.fixture(scope="module")
def study() -> Study:
    return judged_study()


@pytest.fixture(scope="module")
def before(study: Study) -> Findings:
    bias = bias_section(study, find_favours(study))
    return Findings({}, (order_section(study), grades_section(study), bias))


@pytest.fixture(scope="module")
def section(study: Study, before: Findings) -> Section:
    return paper_section(study, before)


def test_table_2_has_the_cells_of_the_order_and_people_first(section: Section, before: Findings) -> None:
    table, order = table_of(section, "paper-table-2"), before.table("order")
    assert order
    for measure in ("nDCG@5", "AP"):
        rows = table.where(measure=measure)
        assert [row[1] for row in rows.rows] == ["people", *JUDGES]
        for judge in JUDGES:
            record, known = rows.record(qrels=judge), order.record(measure=measure, judge=judge)
            assert record
            assert known
            assert [record[name] for name in ("tau", "rho", "r")] == [
                known[name] for name in ("tau", "rho", "r")
            ]


def test_table_2_shows_peoples_noise_ceiling_where_the_order_has_one(study: Study) -> None:
    order = order_section(study)
    tables = [table for table in order.tables if table.name == "order"]
    ceiling = paper_section(study, Findings({}, (order,))).tables[0].rows[0][2]
    record = tables[0].record(measure="nDCG@5", judge="llava")
    assert record
    assert ceiling == record.get("noise ceiling")


def test_table_3_has_the_cells_of_agreement_and_bias(section: Section, before: Findings) -> None:
    table, bias, agreement = (
        table_of(section, "paper-table-3"),
        before.table("bias"),
        before.table("agreement"),
    )
    assert bias
    assert agreement
    people = table.record(measure="AP", family="CLIP-based", qrels="people")
    assert people
    assert people["kappa"] is None
    for judge in JUDGES:
        wanted = {"measure": "AP", "family": "CLIP-based"}
        record, known = table.record(qrels=judge, **wanted), bias.record(judge=judge, **wanted)
        kappa = agreement.record(judge=judge)
        assert record
        assert known
        assert kappa
        assert record["kappa"] == kappa["kappa"]
        assert record["Relative Delta, %"] == known["judge, %"]
        assert record["people on the same, %"] == known["people, %"] == people["Relative Delta, %"]
        assert record["difference in Relative Delta"] == known["difference in Relative Delta"]


def test_figure_1_has_a_mark_a_run_and_judge_and_fills_those_of_the_clip_runs(section: Section) -> None:
    figure = next(each for each in section.figures if each.name == slug("paper-1", measure="AP"))
    root = ET.fromstring(figure.svg)
    marks = [each for each in root if each.tag.endswith("}g")]
    classes = [path.get("class") for mark in marks for path in mark if path.tag.endswith("}path")]
    assert len(classes) == (RUNS + 1) * len(JUDGES)  # each judge has a fitted line
    for place in range(1, len(JUDGES) + 1):
        # Runs 1, 3 and 5 are CLIP-based.
        assert [classes.count(f"j{place} {kind}") for kind in ("sf", "sh", "sl")] == [3, 3, 1]
    assert "run1: people" in figure.svg
    for judge in JUDGES:
        assert f">{judge}</text>" in figure.svg


def test_figure_2_has_one_line_a_set_and_its_table_scaled_quantiles(section: Section, study: Study) -> None:
    figure = next(each for each in section.figures if each.name == "paper-2")
    root = ET.fromstring(figure.svg)
    lines = [
        path.get("class") for mark in root if mark.tag.endswith("}g") for path in mark if path.get("class")
    ]
    assert lines == ["p1 sl", "j1 sl", "j2 sl", "j3 sl"]
    scores = study.raw_scores[1]
    scaled = (scores - scores.min()) / (scores.max() - scores.min())
    record = table_of(section, "score-distributions").record(qrels="llava")
    assert record
    assert record["what"] == "raw score"
    assert record["median, scaled"] == pytest.approx(np.median(scaled))
    people = table_of(section, "score-distributions").record(qrels="people")
    assert people
    assert people["what"] == "grade"
    # Grades 0, 1 and 2 are 0, 0.5 and 1.
    assert set(scaled_scores(study, 0)[1].tolist()) == {0.0, 0.5, 1.0}


def test_figure_3_has_the_shares_of_the_confusion(section: Section, before: Findings) -> None:
    figure = next(each for each in section.figures if each.name == "paper-3")
    confusion = before.table("confusion")
    assert confusion
    row = confusion.where(judge="clip").rows[2]
    share = dict(zip((column.name for column in confusion.columns), row, strict=True))["judge 1, of row"]
    assert isinstance(share, float)
    assert f"<title>clip, people 2: grade 1, {100 * share:.0f} %</title>" in figure.svg


def test_figures_name_title_and_desc_first(section: Section) -> None:
    for figure in section.figures:
        root = ET.fromstring(figure.svg)
        assert [child.tag.rpartition("}")[2] for child in root][:2] == ["title", "desc"]
        assert "style=" not in figure.svg
    names = [figure.name for figure in section.figures]
    assert len(set(names)) == len(names)


def test_without_families_and_raw_scores_nothing_is_made_up() -> None:
    study = judged_study(measures=("AP",))
    alone = paper_section(study, Findings({}))
    record = table_of(alone, "paper-table-2").record(qrels="clip")
    assert record == {"measure": "AP", "qrels": "clip", "tau": None, "rho": None, "r": None}
    assert not any(figure.name == "paper-3" for figure in alone.figures)
    assert isinstance(table_of(alone, "score-distributions").rows[0][2], int)
    assert not isinstance(table_of(alone, "paper-table-3").rows[0][3], Number)
