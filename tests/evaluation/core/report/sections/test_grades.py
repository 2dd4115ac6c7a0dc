"""The sections on grades, raw scores and bias, by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.design import Design
from evaluation.core.report.favour.favours import find_favours
from evaluation.core.report.favour.over_grading import item_excess, mean_excess
from evaluation.core.report.favour.related import related_runs
from evaluation.core.report.favour.run_blind import run_blind
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Conclusion, ConclusionCode, Number
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.grading.raw_scores import raw_scores_section
from evaluation.core.statistics.estimate import Reason
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.study import (
    graded_set,
    wide_study,
)
from tests.evaluation.core.report.two_runs import (
    JUDGE,
    PEOPLE,
    RUNS,
    bias_of,
    study_of_two_runs,
    table_of,
    value_of,
)


def test_related_runs_share_the_judge_s_backbone() -> None:
    row = table_of(bias_of(study_of_two_runs()), "circularity").record()
    assert row is not None
    assert row["related runs"] == "a"
    assert row["why"] == "same backbone"  # of the owner's, or of a family's name
    # Under the judge only y is relevant: a 0, b 1/2. Delta of a: people 2 (0.5 - 0.25) / 0.75 = 66.7 %, judge
    # 2 (0 - 0.5) / 0.5 = -200 %.
    assert value_of(row["difference in Relative Delta"]) == pytest.approx(-200 - 200 / 3)


@pytest.mark.parametrize(
    "provenance",
    [
        {"backbone": "openai/clip-vit-large-patch14"},
        {"backbone": "mean of 2 judges", "ensemble": {"backbones": ["gpt-4o", "CLIP ViT-L-14"]}},
    ],
)
def test_related_runs_share_a_backbone_however_it_is_written(provenance: dict[str, Any]) -> None:
    runs = [replace(RUNS[0], families=(), backbone="CLIP ViT-L/14"), replace(RUNS[1], backbone="BM25")]
    study = study_of_two_runs(runs=runs)
    judge = graded_set("judge", JUDGE, provenance=provenance)
    flags, why = related_runs(replace(study, sets=(study.sets[0], judge)), 1)
    assert (flags.tolist(), why) == ([True, False], "same backbone")


def test_bias_cannot_be_told_over_one_topic() -> None:
    row = table_of(bias_of(study_of_two_runs()), "bias").record(family="CLIP")
    assert row is not None
    # Two ways to name one of two teams, and both are as far from zero: p is 1, the smallest there is too.
    assert (value_of(row["other families as extreme"]), row["smallest p"]) == (1.0, 1.0)
    assert row["verdict"] == Conclusion(ConclusionCode.CANNOT_TELL, "cannot be told (fewer than ten topics)")
    assert row["mean rank shift"] == -1.0  # a is first by people and second by the judge


def test_run_blind_judges_have_the_judge_s_confusion_matrix() -> None:
    study = study_of_two_runs()
    blind = run_blind(study, 1)
    # z is graded 0 by both. The judge grades one of x and y 1: each such judge gives either of them 1 in half
    # of the draws.
    # a has x at rank 1: AP 1 when x alone is graded 1, 1/2 when both are, else 0; so (1 + 1/2) / 4.
    drawn = blind.means[:, 0, 0]
    assert set(drawn.tolist()) <= {0.0, 0.5, 1.0}
    assert blind.expected[0, 0, 0] == pytest.approx(drawn.mean())
    assert blind.expected[0, 0, 0] == pytest.approx(0.375, abs=4 * drawn.std() / np.sqrt(drawn.size))


def test_excess_grades_subtract_the_judge_s_mean_for_people_s_grade() -> None:
    study = study_of_two_runs()
    items = item_excess(study, 1)
    by_docno = dict(zip((study.docnos[pair] for pair in items.pairs), items.excess, strict=True))
    # Of the relevant x and y the judge graded 0 and 1: half a grade below and above their mean.
    assert by_docno == {"x": -0.5, "y": 0.5, "z": 0.0}
    found = mean_excess(study, items, [10, 10])
    # a retrieves x and z, b z and y.
    assert found.values.tolist() == [[-0.25], [0.25]]


def test_declared_hypotheses_are_corrected_together() -> None:
    found = find_favours(wide_study())
    declared = [each.found.excess.p.value for each in found.measures]
    declared += [each.found.p.value for each in found.items if each.p is not None]
    corrected = [each.p.value for each in found.measures]
    corrected += [each.p.value for each in found.items if each.p is not None]
    known = [p for p in declared if p is not None]
    assert len(known) == len(declared) == 6  # one judge, two families; two measures and the first ranks
    assert corrected == pytest.approx(stats.false_discovery_control(known).tolist())


def test_accuracy_by_class_counts_each_class_by_itself() -> None:
    rows = table_of(grades_section(study_of_two_runs()), "accuracy-by-class").rows
    # z is graded 0 by both; of x and y the judge finds one.
    assert [(row[1], row[2], value_of(row[3])) for row in rows] == [
        ("0", 1, 1.0),
        ("1", 2, 0.5),
        ("mean of classes", 3, 0.75),
    ]


def test_recall_at_a_false_rate_has_no_interval_that_simulations_refuse() -> None:
    """On twelve topics the areas have one. Recall has not: tested intervals hold it in 92 to 100 %."""
    study = wide_study()
    scores = np.where(
        study.grades[1] < 0, np.nan, study.grades[1] + np.linspace(0, 0.5, study.grades.shape[1])
    )
    scored = replace(study, raw_scores=np.array([study.raw_scores[0], scores]))
    for row in table_of(grades_section(scored), "raw-scores-as-ranking").records():
        for name in ("AUPRC", "ROC area", "recall at 1% false", "recall at 5% false"):
            number = row[name]
            assert isinstance(number, Number)
            assert number.value is not None
            assert number.missing is (Reason.NOT_COVERED if name.startswith("recall") else None)


def test_confusion_has_shares_of_row_and_column() -> None:
    rows = table_of(grades_section(study_of_two_runs()), "confusion").rows
    # Of two relevant items the judge finds one; it calls no other relevant.
    assert rows == (("judge", 0, 1, 0, 1.0, 0.0, 0.5, 0.0), ("judge", 1, 1, 1, 0.5, 0.5, 0.5, 1.0))


def test_raw_scores_that_part_the_classes_have_full_areas() -> None:
    (row,) = table_of(grades_section(study_of_two_runs()), "raw-scores-as-ranking").rows
    assert (value_of(row[4]), value_of(row[6])) == (1.0, 1.0)
    assert row[5] == pytest.approx(2 / 3)  # chance


@pytest.mark.parametrize(
    ("scale", "cuts", "expected"),
    [
        ((0, 1), [0.5], ["grade 0"]),
        ((0, 1, 2), [0.5, 1.5], ["grade 0", "grade 2"]),
        ((0, 1, 2, 3), [0.5, 1.5, 2.5], ["grade 0", "grade 2", "grade 3"]),
    ],
)
def test_cuts_of_raw_scores_name_the_grades_beside_them(
    scale: tuple[int, ...], cuts: list[float], expected: list[str]
) -> None:
    scores = {("T1", "x"): 0.0, ("T1", "y"): 3.0}
    judge = graded_set("judge", JUDGE, raw_scores=scores, provenance={"mapping": {"thresholds": cuts}})
    rankings = [Rankings.from_dict({"T1": {"x": 2, "z": 1}}, tag="a")]
    sets = [graded_set("people", PEOPLE, "human"), judge]
    section = raw_scores_section(study_of(Design(scale, 1, ("AP",), replicates=20), None, rankings, sets))
    (svg,) = [figure.svg for figure in section.figures if figure.name == "distribution-judge"]
    assert re.findall(r"(?<=>)grade \d", svg) == expected
