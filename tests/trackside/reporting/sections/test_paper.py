"""The paper's tables: the findings in its layout, people last, and a judge by chance."""

from dataclasses import replace

import numpy as np
import pytest

from tests.trackside.reporting.judged_study import judged_study
from tests.trackside.reporting.study import small_study, wide_study
from tests.trackside.reporting.two_runs import rows_of, study_of_two_runs, value_of
from trackside.reporting.build import build_report
from trackside.reporting.chance import CHANCE, DRAWS, chance_of
from trackside.reporting.sections.paper import paper_measures


def test_table_2_has_a_row_for_each_judge_and_one_by_chance() -> None:
    report = build_report(small_study(), code_version="1")
    rows = rows_of(small_study(), "paper-table-2")
    assert [row["grades from"] for row in rows] == ["second", "clip", "chance, same mapping"]
    clip, orders = rows[1], {order.measure: order for order in report.judges[0].orders}
    for measure in ("nDCG@10", "AP"):
        found = orders[measure]
        assert [clip[f"{measure}, {name}"] for name in ("tau", "rho", "r")] == [found.tau, found.rho, found.r]
    assert clip["kappa"] == report.judges[0].grades.kappa


def test_table_3_has_people_last_by_family() -> None:
    report = build_report(judged_study(), code_version="1")
    rows = [row for row in rows_of(judged_study(), "paper-table-3") if row["family"] == "text"]
    names = [row["grades from"] for row in rows]
    assert names == ["llava", "llava again", "clip", "chance, same mapping", "people"]
    finding = report.judges[0].family("AP", "text")
    assert finding
    assert (rows[0]["Delta AP, %"], rows[-1]["Delta AP, %"]) == (finding.judge_delta, finding.people_delta)


def test_measures_are_the_paper_s_or_else_the_first_two() -> None:
    assert paper_measures(wide_study()) == ("nDCG@10", "AP")
    assert paper_measures(judged_study()) == ("nDCG@5", "AP")
    assert paper_measures(small_study(measures=("P@5", "AP", "nDCG@10"))) == ("nDCG@10", "AP")
    assert paper_measures(small_study(measures=("P@5",))) == ("P@5",)


def test_chance_on_two_runs_is_within_what_can_be_drawn() -> None:
    """The judge grades x, y, z as 0, 1, 0: one of three is drawn as relevant, alone.

    Drawn x, run a has 1 and b 0 (tau 1); drawn y, a has 0 and b 1/2 (tau -1); drawn z, a has 1/2 and b 1
    (tau -1). Kappa is 0.4 for x and y, and -0.8 for z: observed 0 of 3, by chance 4/9.
    """
    chance = chance_of(study_of_two_runs())
    assert chance
    (measure,) = chance.measures.values()
    # As many draws of each kind as the mean says.
    assert measure.tau is not None
    of_x = (measure.tau + 1) / 2 * DRAWS
    assert of_x == pytest.approx(round(of_x))
    assert 0 < of_x < DRAWS
    # Over all draws kappa is (0.4 + 0.4 - 0.8) / 3 = 0, and (2 + 2 + 0) / 9 of the pairs have the same grade.
    (row,) = [row for row in rows_of(study_of_two_runs(), "agreement") if row["grades from"] == CHANCE]
    assert value_of(row["kappa"]) == pytest.approx(0)
    assert value_of(row["same grade"]) == pytest.approx(4 / 9)
    (row,) = [row for row in rows_of(study_of_two_runs(), "order") if row["grades from"] == CHANCE]
    assert row["tau"] == measure.tau


def test_chance_has_no_relation_to_people_and_is_the_same_each_time() -> None:
    study = wide_study()
    first, again = (chance_of(study) for _ in range(2))
    assert first
    assert again
    assert first.measures == again.measures
    (row,) = [row for row in rows_of(study, "agreement") if row["grades from"] == CHANCE]
    assert [value_of(row[name]) for name in ("kappa", "kappa, linear", "kappa, quadratic")] == pytest.approx(
        [0] * 3
    )
    pairs = study.shared_pairs(0, 1)
    people, judge = (study.grades[place][pairs] for place in (0, 1))
    rng = np.random.default_rng(1)
    drawn = [(people == rng.permutation(judge)).mean() for _ in range(2_000)]
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert value_of(row["same grade"]) == pytest.approx(np.mean(drawn), abs=4 * error)


def test_second_assessors_alone_have_no_chance() -> None:
    study = small_study()
    people = replace(study, sets=study.sets[:2], grades=study.grades[:2], values=study.values[:2])
    assert chance_of(people) is None
