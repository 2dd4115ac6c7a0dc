"""The section on the order of the runs, by hand: what so few runs, teams and topics can show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.design import Design
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Number
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.ranking.decisions import decisions_section
from evaluation.core.report.sections.ranking.order import order_section
from evaluation.core.statistics.estimate import Reason
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.study import (
    Grades,
    graded_set,
    ranking,
    run_list,
    small_study,
    true_grades,
    wide_study,
)
from tests.evaluation.core.report.two_runs import bias_of, table_of, value_of

if TYPE_CHECKING:
    from evaluation.core.report.study import Study

OVER_TEAMS = "tau, other teams"  # the teams suffice for an interval, however few topics


def test_every_coefficient_has_intervals_over_topics_and_over_teams() -> None:
    study = wide_study()
    rows = table_of(order_section(study), "coefficients").where(measure="AP", judge="judge").records()
    found = {str(row["coefficient"]): row for row in rows}
    assert len(found) == 8
    x, y = study.shared_values(1, 0, 1).means()
    assert value_of(found["r"]["other topics"]) == pytest.approx(stats.pearsonr(x, y).statistic)
    withheld = {"rho": Reason.NOT_COVERED}  # by simulation, as those of three others on these twelve topics
    withheld |= dict.fromkeys(("tau_GAP", "weighted tau", "RBO"), Reason.TOO_FEW_TOPICS_FOR_ORDER)
    for coefficient, row in found.items():
        for name in ("other topics", "other teams"):
            number = row[name]
            assert isinstance(number, Number)
            assert number.value is not None
            if name == "other topics" and coefficient in withheld:
                assert number.missing is withheld[coefficient]
                continue
            assert number.low is not None
            assert number.high is not None
            assert number.low <= number.value <= number.high


def test_a_judge_is_no_nearer_to_people_than_itself() -> None:
    study = wide_study()
    twin = replace(study.sets[1], facts={**study.sets[1].facts, "name": "twin"})
    alike = replace(
        study,
        sets=(*study.sets, twin),
        is_judged=study.is_judged[[0, 1, 1]],
        grades=study.grades[[0, 1, 1]],
        raw_scores=study.raw_scores[[0, 1, 1]],
        values=study.values[[0, 1, 1]],
        _sampled={},
        _shared={},
    )
    for section, name in (
        (order_section(alike), "two-judges-order"),
        (grades_section(alike), "two-judges-grades"),
    ):
        for row in table_of(section, name).records():
            number = row["difference"]
            assert isinstance(number, Number)
            assert number.value == 0.0
            assert number.low is None
            if section.name == "grades":
                assert number.missing is Reason.NO_VARIATION


def _with_a_team_for_each_run(**design: Any) -> Study:
    study = small_study(**design)
    return replace(study, runs=tuple(replace(run, team=run.tag) for run in study.runs))


def test_order_notes_what_the_best_runs_of_so_few_teams_can_show() -> None:
    """The six runs are of three teams, whose best runs have 3! = 6 orders; the least p is 2 / 6."""
    says = order_section(small_study()).says
    assert says == (
        "With the best runs of 3 teams no order at all has p below 0.05: no result can be significant.",
    )


def test_p_of_single_runs_is_printed_only_if_each_team_has_one() -> None:
    """The other test, of each team's best run, is printed anyway, and so is the larger of the two."""
    for study, reason in ((small_study(), Reason.RUNS_OF_ONE_TEAM), (_with_a_team_for_each_run(), None)):
        section = order_section(study)
        for table, expected in (("order", reason), ("order-of-teams", None)):
            record = next(table_of(section, table).records())
            p = record["p"]
            assert isinstance(p, Number)
            assert p.reason is expected
            assert (p.value is None) is (record["smallest p"] is None) is (expected is not None)
        deciding = next(table_of(section, "order").records())["p, deciding"]
        assert isinstance(deciding, Number)
        assert deciding.value is not None


def test_order_notes_what_so_many_runs_can_show() -> None:
    says = order_section(_with_a_team_for_each_run()).says
    # Of 6! = 720 orders 1, 5, 14, 29, 49, 71 and 90 have none to six swapped pairs. With two p is
    # 2 x 20 / 720 = 0.056, with one 0.017; one of 15 pairs leaves tau 13 / 15 = 0.87. A tau of 0.2 has six
    # swaps, and p 2 x 259 / 720 = 0.72.
    # The test has two sides: the reverse orders are as rare.
    assert says == (
        "With 6 runs only a tau of 0.87 or more, or −0.87 or less, has p below 0.05; a tau of 0.2 has "
        "p = 0.72.",
    )


def test_order_notes_the_runs_compared_and_the_design_s_alpha() -> None:
    study, truth = _with_a_team_for_each_run(alpha=0.01), true_grades()
    # With one swapped pair of 15 p is 2 x 6 / 720 = 0.017, with none 0.003.
    says = order_section(study).says
    assert says[0].startswith("With 6 runs only a tau of 1.00 or more, or −1.00 or less, has p below 0.01;")
    rankings = (ranking(number, truth) for number in range(6))
    alone = study_of(study.design, study.runs, rankings, [study.sets[0], graded_set("same", truth)])
    alone.values[:, :, 5] = np.nan
    # Of five runs' 120 orders one has none swapped: 2 / 120 = 0.017.
    assert order_section(alone).says[0].startswith("With 5 runs no order at all has p below 0.01")


def test_findings_of_one_set_with_itself_agree() -> None:
    truth = {topic: dict(own) for topic, own in small_study().sets[0].qrels}
    sets = [graded_set("people", truth, "human"), graded_set("same", truth)]
    study = small_study()
    rankings = [
        Rankings.from_dict({"T0": {docno: 1.0}}, tag=tag) for tag, docno in (("run0", "d01"), ("run1", "d02"))
    ]
    alike = study_of(study.design, list(study.runs), rankings, sets)
    for row in table_of(decisions_section(alike), "decisions").rows:
        counts = dict(zip(("AA", "AD", "MA", "MD", "PA", "PD"), row[4:10], strict=True))
        assert sum(int(str(count)) for count in counts.values()) == row[3]
        assert (counts["AD"], counts["MA"], counts["MD"], counts["PD"]) == (0, 0, 0, 0)


def _pair_study(people: Grades, other: Grades, *more: Grades) -> Study:
    sets = [graded_set("people", people, "human"), graded_set("other", other)]
    sets += [graded_set(f"more{number}", each) for number, each in enumerate(more)]
    design = Design((0, 1, 2), 1, ("AP",), replicates=50)
    return study_of(design, run_list(), (ranking(number, people) for number in range(6)), sets)


def test_one_topic_gives_no_interval_and_no_p_of_a_difference() -> None:
    truth = {"T1": true_grades()["T1"]}
    other = {"T1": {docno: (grade + 1) % 3 for docno, grade in truth["T1"].items()}}
    study = _pair_study(truth, other, truth)
    order, grades = order_section(study), grades_section(study)
    for table in (table_of(order, "order"), table_of(grades, "agreement"), table_of(bias_of(study), "bias")):
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                if isinstance(cell, Number) and column.name not in (OVER_TEAMS, "run-blind judges"):
                    assert (cell.low, cell.high) == (None, None), (table.name, column.name)
    for *_, difference in table_of(order, "two-judges-order").rows:
        assert isinstance(difference, Number)
        assert difference.low is None
    for *_, difference, p, corrected in table_of(grades, "two-judges-grades").rows:
        assert isinstance(difference, Number)
        assert difference.low is None
        assert value_of(p) is None
        assert value_of(corrected) is None


def test_one_topic_gives_no_findings() -> None:
    truth = {"T1": true_grades()["T1"]}
    section = decisions_section(_pair_study(truth, truth))
    for name in ("decisions", "discriminative-power"):
        table = table_of(section, name)
        pairs = [column.name for column in table.columns].index("pairs")
        for row in table.rows:
            assert row[pairs] == 15
            assert set(row[pairs + 1 :]) == {None}, (name, row)
    assert not section.figures


def test_judge_that_makes_all_runs_equal_gives_no_order_to_compare() -> None:
    truth = true_grades()
    constant = {topic: dict.fromkeys(own, 0) for topic, own in truth.items()}
    section = order_section(_pair_study(truth, constant))
    for name in ("order", "order-at-the-top", "coefficients"):
        for row in table_of(section, name).rows:
            for cell in (cell for cell in row if isinstance(cell, Number)):
                assert (cell.value, cell.low, cell.high) == (None, None, None), (name, row)


def test_order_notes_the_number_of_items() -> None:
    truth = true_grades()
    some = {topic: dict(list(own.items())[::5]) for topic, own in truth.items()}
    says = " ".join(order_section(_pair_study(truth, some)).says)
    assert "other grades 24 of the 96 items that people graded in topics of both" in says
    assert "items that people graded" not in " ".join(order_section(_pair_study(truth, truth)).says)
