"""All sections together: JSON, reproducible, and reasons for degenerate input."""

import subprocess
import sys

import pytest

from tests.trackside.reporting.study import (
    graded_set,
    ranking,
    run_list,
    small_study,
    true_grades,
)
from trackside.reporting.build import build_report
from trackside.reporting.design import Design
from trackside.reporting.findings import Findings
from trackside.reporting.study import study_of
from trackside.reporting.writers.tables import csv_text
from trackside.statistics.estimate import Reason


@pytest.fixture(scope="module")
def report() -> Findings:
    return build_report(small_study(), code_version="1")


def test_report_is_the_same_in_another_process(report: Findings) -> None:
    code = (
        "from trackside.reporting.build import build_report\n"
        "from trackside.reporting.writers.tables import csv_text\n"
        "from tests.trackside.reporting.study import small_study\n"
        "print('\\n'.join(map(csv_text, build_report(small_study(), code_version='1').tables())))"
    )
    # Another seed for hashes of strings: nothing may depend on the order of a set.
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert done.stdout == "\n".join(map(csv_text, report.tables())) + "\n"


def test_figures_of_judges_and_measures_with_like_names_have_names_of_their_own() -> None:
    truth = true_grades()
    names = ("a b", "a+b", "a_b", "A B", "rel-2-a")
    sets = [graded_set("people", truth, "human"), *(graded_set(name, true_grades(2)) for name in names)]
    design = Design((0, 1, 2), 1, ("AP", "AP(rel=2)", "P@5"), replicates=20)
    study = study_of(design, run_list(), (ranking(number, truth) for number in range(6)), sets)
    report = build_report(study, code_version="1")
    for found in ([each.name for each in report.figures()], [each.name for each in report.tables()]):
        assert len(set(found)) == len(found)


def test_people_s_grades_alone_have_means_and_pool() -> None:
    truth = true_grades()
    sets = [graded_set("people", truth, "human")]
    design = Design((0, 1, 2), 1, ("AP",), replicates=20)
    study = study_of(design, run_list(), (ranking(number, truth) for number in range(6)), sets)
    report = build_report(study, code_version="1")
    assert [table.name for table in report.tables()] == ["means", "leave-one-team-out", "pool", "qrels"]
    (leader,) = report.leaders
    assert leader.first == ("run5",)


def test_judge_without_a_shared_pair_says_so_and_counts_the_teams_of_the_report() -> None:
    truth = true_grades()
    sets = [graded_set("people", truth, "human"), graded_set("judge", {"T0": {"elsewhere": 1}})]
    design = Design((0, 1, 2), 1, ("nDCG@10",), replicates=20)
    findings = build_report(
        study_of(design, run_list(), (ranking(n, truth) for n in range(6)), sets), code_version="1"
    )
    (judge,) = findings.judges
    assert judge.orders[0].other_runs.team_count == 3
    assert {family.reason for family in judge.families} == {Reason.NO_SHARED_PAIR}
