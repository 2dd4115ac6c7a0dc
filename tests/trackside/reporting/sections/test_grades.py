"""Grades pair by pair: rows by hand, the second assessor, and no matrices with one judge."""

from dataclasses import replace

import numpy as np
import pytest

from tests.trackside.reporting.study import small_study
from tests.trackside.reporting.two_runs import rows_of, study_of_two_runs, value_of
from trackside.reporting.build import build_report
from trackside.statistics.estimate import Number, Reason


def test_agreement_by_hand() -> None:
    """People grade x, y, z as 1, 1, 0, the judge as 0, 1, 0: two of three alike.

    By chance 1/3 x 2/3 + 2/3 x 1/3 = 4/9 are alike: kappa (2/3 - 4/9) / (1 - 4/9) = 0.4. Of the six grades
    three are 1. Krippendorff's alpha: 1 - observed 1/3 over expected 2 x 3 x 3 / (6 x 5) = 0.6, so 4/9.
    """
    row, _by_chance = rows_of(study_of_two_runs(), "agreement")
    assert value_of(row["kappa"]) == pytest.approx(0.4)
    assert value_of(row["same grade"]) == pytest.approx(2 / 3)
    assert value_of(row["leniency"]) == pytest.approx(-1 / 3)
    assert value_of(row["alpha, 1 or more"]) == pytest.approx(4 / 9)
    assert (row["topics"], row["pairs"]) == (1, 3)


def test_kappa_with_a_judge_of_one_grade_is_undefined() -> None:
    study = small_study()
    first = min(study.judges)
    constant = study.grades.copy()
    constant[first] = np.where(constant[first] >= 0, 1, constant[first])
    row = next(
        row
        for row in rows_of(replace(study, grades=constant), "agreement")
        if row["grades from"] == study.sets[first].name
    )
    for name in ("kappa", "kappa, linear", "kappa, quadratic"):
        assert row[name] == Number(None, Reason.CONSTANT_GRADES)


def test_confusion_by_hand() -> None:
    zero, one = rows_of(study_of_two_runs(), "confusion")
    assert (zero["people's grade"], zero["graded 0"], zero["graded 1"]) == (0, 1, 0)
    assert (one["pairs"], one["graded 0"], one["graded 1"]) == (2, 1, 1)
    assert (one["0, share"], one["1, share"]) == (0.5, 0.5)


def test_second_assessors_have_no_second_and_judges_show_the_finding() -> None:
    report = build_report(small_study(), code_version="1")
    second, judge, _by_chance = rows_of(small_study(), "agreement")
    assert (second["grades from"], judge["grades from"]) == ("second", "clip")
    assert second["less the second assessor's kappa"] is None
    uses = report.judges[0].uses
    assert value_of(judge["less the second assessor's kappa"]) == uses.label.difference
    assert value_of(judge["less the second assessor's tau"]) == uses.rank.second_difference


def test_one_judge_has_no_matrices() -> None:
    for name in ("kappa-of-judges", "tau-of-judges"):
        assert not rows_of(study_of_two_runs(), name)
