"""Where people and judges differ: pairs of the findings, and strata by hand."""

import numpy as np
import pytest

from tests.trackside.reporting.judged_study import TOPICS, judged_study
from tests.trackside.reporting.study import small_study
from tests.trackside.reporting.two_runs import rows_of, study_of_two_runs, value_of
from trackside.reporting.build import build_report
from trackside.reporting.questions import confusions
from trackside.reporting.study import PEOPLE
from trackside.statistics.agreement import kappa_of_matrices
from trackside.statistics.estimate import Reason


def test_pairs_are_those_of_the_findings() -> None:
    report = build_report(small_study(), code_version="1")
    rows = rows_of(small_study(), "differing-pairs")
    shown = [
        (row["judge"], row["topic"], row["document"], row["people"], row["judge's grade"]) for row in rows
    ]
    assert shown == [
        (judge.name, pair.topic, pair.docno, pair.people, pair.judge)
        for judge in report.judges
        for pair in judge.differs.pairs
    ]
    (section,) = [section for section in report.sections if section.name == "differences"]
    grades = small_study().grades
    gaps = np.abs(grades[PEOPLE] - grades[2])[grades[2] >= 0]
    assert (gaps.max(), (gaps == 2).sum(), gaps.size) == (2, 1, 96)
    assert section.says == ("clip differs from people by 2 grades on 1 pair of 96.",)


def test_strata_of_the_design_have_the_numbers_of_their_topics() -> None:
    strata = {"page": {topic: "seen" if place < 10 else "unseen" for place, topic in enumerate(TOPICS)}}
    study = judged_study(strata=strata)
    rows = rows_of(study, "strata")
    row = next(
        row for row in rows if (row["measure"], row["grades from"], row["stratum"]) == ("AP", "clip", "seen")
    )
    by_topic = confusions(study, PEOPLE, 3)[:10]
    assert row["pairs"] == by_topic.sum() == 160
    assert value_of(row["kappa"]) == pytest.approx(
        kappa_of_matrices(by_topic.sum(axis=0)[None], (0, 1, 2))[0]
    )
    divisions = {(row["division"], row["stratum"]) for row in rows}
    assert {("difficulty", name) for name in ("hard", "medium", "easy")} <= divisions


def test_thirds_by_difficulty_have_no_interval_because_it_does_not_cover() -> None:
    rows = [row for row in rows_of(judged_study(), "strata") if row["division"] == "difficulty"]
    assert rows
    for row in rows:
        for name in ("kappa", "same grade", "AUPRC", "tau"):
            assert getattr(row[name], "missing", None) is Reason.NOT_COVERED


def test_strata_of_pairs_count_the_runs_that_rank_them_in_their_first_ten() -> None:
    """x and y are each in one run's first ten, z in both."""
    rows = {row["stratum"]: row for row in rows_of(study_of_two_runs(), "strata") if row["measure"] == "all"}
    assert [rows[name]["pairs"] for name in ("no run", "one run", "several runs")] == [0, 2, 1]
    assert rows["one run"]["tau"] is None
    # People 1 and 1, the judge 0 and 1: no kappa and no curve, and half of the grades are the same.
    for name in ("kappa", "AUPRC"):
        assert getattr(rows["one run"][name], "reason", None) is Reason.CONSTANT_GRADES
    assert value_of(rows["one run"]["same grade"]) == 0.5


def test_strata_of_the_pairs_have_their_numbers_and_name_pairs_left_out() -> None:
    """x and z are hard: people 1 and 0, the judge 0 and 0, raw scores .5 and .1; y is in no stratum."""
    strata = {"class": {"T1": {"z": "hard", "x": "hard"}, "T9": {"x": "easy"}}}
    study = study_of_two_runs(pair_strata=strata)
    (row,) = [row for row in rows_of(study, "strata") if row["division"] == "class"]
    assert (row["stratum"], row["topics"], row["pairs"], row["tau"]) == ("hard", 1, 2, None)
    assert getattr(row["kappa"], "reason", None) is Reason.CONSTANT_GRADES
    assert (value_of(row["same grade"]), value_of(row["AUPRC"])) == (0.5, 1.0)
    assert row["AUPRC by chance"] == pytest.approx(0.75)  # x first in one order of two: 1, else 1/2
    assert getattr(row["AUPRC"], "missing", None) is Reason.TOO_FEW_PAIRS
    named = rows_of(study_of_two_runs(pair_strata={"difficulty": strata["class"]}), "strata")
    assert {row["stratum"] for row in named if row["division"] == "difficulty"} == {"hard"}
    assert {row["division"] for row in named if row["stratum"] == "easy"} == {"difficulty for runs"}
    notes = build_report(study, code_version="1").table("strata").notes
    assert "class: 1 pair without a grade left out: T9 x." in notes
    assert "class: 1 of 3 graded pairs without a stratum left out: T1 y." in notes
