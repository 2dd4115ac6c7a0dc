"""Orders of the runs: the findings as rows, and the order at the top by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.trackside.reporting.judged_study import judged_study
from tests.trackside.reporting.study import wide_study
from tests.trackside.reporting.two_runs import rows_of, study_of_two_runs, value_of
from trackside.findings.order import best_runs
from trackside.reporting.build import build_report
from trackside.reporting.study import PEOPLE
from trackside.statistics.estimate import Number, Reason


def test_rows_are_the_findings() -> None:
    report = build_report(wide_study(), code_version="1")
    order = report.judges[0].order("AP")
    row = next(row for row in rows_of(wide_study(), "order") if row["measure"] == "AP")
    assert (value_of(row["tau"]), value_of(row["rho"]), value_of(row["r"])) == (order.tau, order.rho, order.r)
    assert order.pairs
    names = ("pairs told apart", "kept", "reversed", "undecided", "of them other sign", "added")
    assert [row[name] for name in names] == [
        order.pairs.told,
        order.pairs.kept,
        order.pairs.reversed,
        order.pairs.missed,
        order.pairs.leaning,
        order.pairs.added,
    ]


def test_figures_of_a_judge_with_gaps_say_of_how_many_results_they_are() -> None:
    study = judged_study()
    grades = study.grades.copy()
    grades[study.judges[0], :50] = -1
    values = np.array([study.values_under(row, study.measures) for row in grades])
    report = build_report(replace(study, grades=grades, values=values), code_version="1")
    captions = {figure.name: figure.caption for section in report.sections for figure in section.figures}
    for name in ("tau-ap", "kappa", "excess-ap-text-13e68c", "paper-1-ap"):
        assert "llava graded 142 of 192." in captions[name], name


def test_two_runs_in_reverse_by_hand() -> None:
    """People's first run is a with 0.5, the judge's is b, which people give 0.25."""
    (row,) = rows_of(study_of_two_runs(), "order-at-the-top")
    assert (row["first run"], row["as people's"], row["people's loss"]) == ("b", "no", 0.25)
    assert value_of(row["tau_AP"]) == -1.0
    assert isinstance(row["tau_AP"], Number)
    assert row["tau_AP"].interval
    assert row["tau_AP"].interval.reason is Reason.TWO_RUNS  # at -1 or 1 with any number of topics
    assert (row["top 5"], row["largest drop"]) == (None, None)  # of two runs they say nothing


def test_top_five_and_drop_of_ten_runs_equal_a_loop_over_ranks() -> None:
    study = wide_study()
    shared = study.shared_values(1, PEOPLE, study.judges[0])
    ranks = [stats.rankdata(-values.mean(axis=1)) for values in shared.values]
    row = next(row for row in rows_of(study, "order-at-the-top") if row["measure"] == "AP")
    tops = [set(np.flatnonzero(each <= 5)) for each in ranks]
    assert row["top 5"] == len(tops[0] & tops[1]) / 5
    assert row["largest drop"] == max(ranks[1] - ranks[0])


def test_best_runs_are_those_that_no_test_tells_from_the_first() -> None:
    rng = np.random.default_rng(3)
    near, far = rng.random((2, 12)) / 10, rng.random((2, 12)) / 10 - 0.4
    values = 0.5 + np.concatenate([near, far])
    found = best_runs(values, ["a", "b", "c", "d"])
    (first,) = found.first
    # Holm over six pairs: p of the smallest times 6, the next times 5, ...
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    p = {pair: float(stats.ttest_rel(*values[list(pair)]).pvalue) for pair in pairs}
    ordered = sorted(pairs, key=lambda pair: p[pair])
    adjusted, highest = {}, 0.0
    for place, pair in enumerate(ordered):
        highest = max(highest, min(1.0, p[pair] * (6 - place)))
        adjusted[pair] = highest
    told = {pair for pair in pairs if adjusted[pair] <= 0.05}
    expected = {run for run in range(4) if run != first and tuple(sorted((first, run))) not in told}
    assert set(found.not_worse) == expected
    assert found.is_tested
    assert not best_runs(values[:, :1], ["a", "b", "c", "d"]).is_tested


def test_equal_means_are_all_first_and_no_order() -> None:
    assert best_runs(np.full((3, 4), 0.5), ["c", "a", "b"]).first == (1, 2, 0)
    people = {"T1": {"x": 1, "y": 1, "z": 1}}
    assert people  # a judge with one grade: all runs are equal under it
    study = study_of_two_runs(measures=("P@5",))
    (row,) = rows_of(study, "order-at-the-top")
    # By people's grades both runs have one relevant result of five; by the judge's a has none.
    tau = row["tau_AP"]
    assert getattr(tau, "reason", None) is Reason.ALL_RUNS_EQUAL


def test_matrix_of_tau_is_symmetric_and_holds_the_findings() -> None:
    report = build_report(judged_study(), code_version="1")
    rows = [row for row in rows_of(judged_study(), "tau-of-judges") if row["measure"] == "AP"]
    names = [row["grades from"] for row in rows]
    assert names == ["people", "llava", "llava again", "clip"]
    for one in rows:
        for other in rows:
            assert one[str(other["grades from"])] == other[str(one["grades from"])]
        assert one[str(one["grades from"])] is None
    assert rows[0]["clip"] == report.judges[2].order("AP").tau
    study = judged_study()
    shared = study.shared_values(1, 1, 3)
    expected = stats.kendalltau(*shared.values.mean(axis=2)).statistic
    assert rows[1]["clip"] == pytest.approx(expected)
