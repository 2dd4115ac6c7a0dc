"""Numbers of the sections worked out by hand, on two runs and one or two topics.

People find x and y relevant and z not. Run a ranks x, z and run b ranks z, y. By AP a has (1/1) / 2 = 0.5
and b (1/2) / 2 = 0.25.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.design import Design, ReportRun
from evaluation.core.report.favours import find_favours
from evaluation.core.report.filling import study_of
from evaluation.core.report.findings import Conclusion, ConclusionCode, Findings, Number, Section, Table
from evaluation.core.report.over_grading import item_excess, mean_excess
from evaluation.core.report.related import related_runs
from evaluation.core.report.run_blind import run_blind
from evaluation.core.report.sections.bias import bias_section
from evaluation.core.report.sections.decisions import decisions_section
from evaluation.core.report.sections.grades import grades_section
from evaluation.core.report.sections.methods import methods_section
from evaluation.core.report.sections.order import order_section
from evaluation.core.report.sections.pages import pages_section
from evaluation.core.report.sections.raw_scores import raw_scores_section
from evaluation.core.report.sections.reusability import reusability_section
from evaluation.core.report.sections.saving import saving_section
from evaluation.core.report.sections.saving_items import items_of
from evaluation.core.report.sections.strata import strata_section
from evaluation.core.report.study import Study
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

OVER_TEAMS = "tau, other teams"  # the teams suffice for an interval, however few topics
PEOPLE = {"T1": {"x": 1, "y": 1, "z": 0}}
JUDGE = {"T1": {"x": 0, "y": 1, "z": 0}}
RAW = {("T1", "y"): 0.9, ("T1", "x"): 0.5, ("T1", "z"): 0.1}
RUNS = [ReportRun("a", "Kestrel", ("CLIP",)), ReportRun("b", "Nordlys", ("text",))]


def _study(runs: list[ReportRun] = RUNS, **design: Any) -> Study:
    given: dict[str, Any] = {"scale": (0, 1), "level": 1, "measures": ("AP",), "replicates": 20} | design
    rankings = [
        Rankings.from_dict({"T1": {"x": 2, "z": 1}}, tag="a"),
        Rankings.from_dict({"T1": {"z": 2, "y": 1}}, tag="b"),
    ]
    judge = graded_set("judge", JUDGE, raw_scores=RAW, provenance={"backbone": "openai/clip"})
    return study_of(Design(**given), runs, rankings, [graded_set("people", PEOPLE, "human"), judge])


def _table(section: Section, name: str) -> Table:
    return next(table for table in section.tables if table.name == name)


def _bias(study: Study) -> Section:
    return bias_section(study, find_favours(study))


def _value(cell: object) -> float | None:
    return cell.value if isinstance(cell, Number) else None


@pytest.mark.parametrize(
    ("depths", "expected"),
    [
        ((30, 25), "topics. They were pooled to depths of 25 to 30. People graded"),
        ((30, 0), "They were pooled to depth 30; 1 of them were not."),
        ((30, None), "The depth of the pools was inferred from the judgments."),
    ],
)
def test_methods_name_the_pool_depths_of_the_runs(depths: tuple[int | None, ...], expected: str) -> None:
    runs = [replace(run, pool_depth=depth) for run, depth in zip(RUNS, depths, strict=True)]
    assert expected in methods_section(_study(runs=runs), Findings({})).says[0]


def test_leaving_a_team_out_takes_what_it_alone_found() -> None:
    rows = _table(reusability_section(_study()), "leave-one-team-out").rows
    # Without x one relevant item is left, which a does not have: it falls from 0.5 to 0, below b's 0.25.
    # Without y it is x, which b does not have; b stays behind a.
    assert rows == (
        ("AP", "Kestrel", "a", 1, 1, 0.5, 0.0, -0.5, 1),
        ("AP", "Nordlys", "b", 1, 1, 0.25, 0.0, -0.25, 0),
    )


def test_shallower_pools_keep_what_some_run_ranks_within_the_depth() -> None:
    (row,) = _table(reusability_section(_study()), "depths").rows
    assert row[:4] == ("AP", 5, 3, 2)
    assert _value(row[4]) == 1.0


def test_runs_have_their_judged_share() -> None:
    rows = _table(reusability_section(_study()), "judged").rows
    # RBP with p = 0.8: 0.2 for a (relevant first), 0.2 x 0.8 for b (second). Nothing is seen beyond rank 2.
    assert [row[0] for row in rows] == ["a", "b"]
    assert [row[4] for row in rows] == pytest.approx([0.2, 0.16])
    # All of the two results of each run are judged: the eight places that stay empty are not unjudged.
    assert [row[2:4] for row in rows] == [(0.2, 0.0), (0.2, 0.0)]


def test_related_runs_share_the_judge_s_backbone() -> None:
    row = _table(_bias(_study()), "circularity").record()
    assert row is not None
    assert row["related runs"] == "a"
    assert row["why"] == "same backbone"  # of the owner's, or of a family's name
    # Under the judge only y is relevant: a 0, b 1/2. Delta of a: people 2 (0.5 - 0.25) / 0.75 = 66.7 %, judge
    # 2 (0 - 0.5) / 0.5 = -200 %.
    assert _value(row["difference in Relative Delta"]) == pytest.approx(-200 - 200 / 3)


@pytest.mark.parametrize(
    "provenance",
    [
        {"backbone": "openai/clip-vit-large-patch14"},
        {"backbone": "mean of 2 judges", "ensemble": {"backbones": ["gpt-4o", "CLIP ViT-L-14"]}},
    ],
)
def test_related_runs_share_a_backbone_however_it_is_written(provenance: dict[str, Any]) -> None:
    runs = [replace(RUNS[0], families=(), backbone="CLIP ViT-L/14"), replace(RUNS[1], backbone="BM25")]
    study = _study(runs=runs)
    judge = graded_set("judge", JUDGE, provenance=provenance)
    flags, why = related_runs(replace(study, sets=(study.sets[0], judge)), 1)
    assert (flags.tolist(), why) == ([True, False], "same backbone")


def test_judge_as_a_run_is_ranked_among_the_runs() -> None:
    (row,) = _table(_bias(_study()), "judges-as-runs").rows
    # It ranks y, x, z: AP 1 by people and by itself, the first of three.
    assert row == ("AP", "judge", 1.0, 1, 1.0, 1, 3)


def test_bias_cannot_be_told_over_one_topic() -> None:
    row = _table(_bias(_study()), "bias").record(family="CLIP")
    assert row is not None
    # Two ways to name one of two teams, and both are as far from zero: p is 1, the smallest there is too.
    assert (_value(row["other families as extreme"]), row["smallest p"]) == (1.0, 1.0)
    assert row["verdict"] == Conclusion(ConclusionCode.CANNOT_TELL, "cannot be told (fewer than ten topics)")
    assert row["mean rank shift"] == -1.0  # a is first by people and second by the judge


def test_run_blind_judges_have_the_judge_s_confusion_matrix() -> None:
    study = _study()
    blind = run_blind(study, 1)
    # z is graded 0 by both. The judge grades one of x and y 1: each such judge gives either of them 1 in half
    # of the draws.
    # a has x at rank 1: AP 1 when x alone is graded 1, 1/2 when both are, else 0; so (1 + 1/2) / 4.
    drawn = blind.means[:, 0, 0]
    assert set(drawn.tolist()) <= {0.0, 0.5, 1.0}
    assert blind.expected[0, 0, 0] == pytest.approx(drawn.mean())
    assert blind.expected[0, 0, 0] == pytest.approx(0.375, abs=4 * drawn.std() / np.sqrt(drawn.size))


def test_excess_grades_subtract_the_judge_s_mean_for_people_s_grade() -> None:
    study = _study()
    items = item_excess(study, 1)
    by_docno = dict(zip((study.docnos[pair] for pair in items.pairs), items.excess, strict=True))
    # Of the relevant x and y the judge graded 0 and 1: half a grade below and above their mean.
    assert by_docno == {"x": -0.5, "y": 0.5, "z": 0.0}
    found = mean_excess(study, items, [10, 10])
    # a retrieves x and z, b z and y.
    assert found.values.tolist() == [[-0.25], [0.25]]


def test_eleven_points_are_interpolated_precision() -> None:
    rows = _table(pages_section(_study()), "eleven-points").rows
    # a has half of the relevant at rank 1, and never the rest. (In between, rounding decides.)
    assert rows[0][:7] == ("a", *([1.0] * 6))
    assert rows[0][-3:] == (0.0, 0.0, 0.0)


def test_uniques_count_what_a_run_alone_found() -> None:
    rows = _table(pages_section(_study()), "uniques").rows
    assert rows == (("a", "Kestrel", 10, 2, 1, 1), ("b", "Nordlys", 10, 2, 1, 1))


def test_uniques_keep_to_the_depth_to_which_runs_were_pooled() -> None:
    pooled = [replace(RUNS[0], pool_depth=1), replace(RUNS[1], pool_depth=0)]
    found = _table(pages_section(_study(runs=pooled)), "uniques")
    # a brings x alone, b nothing: z and y are in the pool by others, or by hand.
    assert found.rows == (("a", "Kestrel", 1, 1, 1, 1), ("b", "Nordlys", 0, 0, 0, 0))
    assert found.notes[0].endswith("Pool depths are those to which the runs were pooled.")


def test_runs_are_compared_with_median_and_best_of_each_topic() -> None:
    rows = _table(pages_section(_study()), "runs-by-topic").rows
    assert rows == (("a", "T1", 0.5, 0.125, 0.0), ("b", "T1", 0.25, -0.125, -0.25))


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
    rows = _table(grades_section(_study()), "accuracy-by-class").rows
    # z is graded 0 by both; of x and y the judge finds one.
    assert [(row[1], row[2], _value(row[3])) for row in rows] == [
        ("0", 1, 1.0),
        ("1", 2, 0.5),
        ("mean of classes", 3, 0.75),
    ]


def test_every_coefficient_has_intervals_over_topics_and_over_teams() -> None:
    study = wide_study()
    rows = _table(order_section(study), "coefficients").where(measure="AP", judge="judge").records()
    found = {str(row["coefficient"]): row for row in rows}
    assert len(found) == 8
    x, y = study.shared_values(1, 0, 1).means()
    assert _value(found["r"]["other topics"]) == pytest.approx(stats.pearsonr(x, y).statistic)
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


def test_recall_at_a_false_rate_has_no_interval_that_simulations_refuse() -> None:
    """On twelve topics the areas have one. Recall has not: tested intervals hold it in 92 to 100 %."""
    study = wide_study()
    scores = np.where(
        study.grades[1] < 0, np.nan, study.grades[1] + np.linspace(0, 0.5, study.grades.shape[1])
    )
    scored = replace(study, raw_scores=np.array([study.raw_scores[0], scores]))
    for row in _table(grades_section(scored), "raw-scores-as-ranking").records():
        for name in ("AUPRC", "ROC area", "recall at 1% false", "recall at 5% false"):
            number = row[name]
            assert isinstance(number, Number)
            assert number.value is not None
            assert number.missing is (Reason.NOT_COVERED if name.startswith("recall") else None)


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
        for row in _table(section, name).records():
            number = row["difference"]
            assert isinstance(number, Number)
            assert number.value == 0.0
            assert number.low is None
            if section.name == "grades":
                assert number.missing is Reason.NO_VARIATION


def test_saving_by_items_ends_at_the_precision_of_all() -> None:
    """The estimate from all items is P@10 on them, for any judge."""
    study = small_study()
    items = items_of(study, 2)
    assert items is not None
    expected = study.values_under(study.grades[0], 5, ["P@10"]).mean()
    assert items.full[5] == pytest.approx(expected)
    rows = _table(saving_section(study), "saving-by-items").where(judge="clip").rows
    judged = {pair for found in study.retrieved for pair in found.pairs[found.ranks < 10].tolist()}
    assert [row[1] for row in rows] == [len(judged)]
    assert rows[-1][2:4] == pytest.approx((0.0, 0.0), abs=1e-7)
    assert rows[-1][4:] == pytest.approx((1.0, 1.0, 1.0, 1.0))


def test_confusion_has_shares_of_row_and_column() -> None:
    rows = _table(grades_section(_study()), "confusion").rows
    # Of two relevant items the judge finds one; it calls no other relevant.
    assert rows == (("judge", 0, 1, 0, 1.0, 0.0, 0.5, 0.0), ("judge", 1, 1, 1, 0.5, 0.5, 0.5, 1.0))


def test_raw_scores_that_part_the_classes_have_full_areas() -> None:
    (row,) = _table(grades_section(_study()), "raw-scores-as-ranking").rows
    assert (_value(row[4]), _value(row[6])) == (1.0, 1.0)
    assert row[5] == pytest.approx(2 / 3)  # chance


def test_strata_of_the_design_have_n_and_a_harmonic_mean() -> None:
    strata = {"page": {"T0": "seen", "T1": "seen", "T2": "unseen"}}
    study = small_study(strata=strata)
    rows = _table(strata_section(study), "runs-by-stratum").where(measure="AP").rows
    own = [row for row in rows if row[1:3] == ("page", "run5")]
    assert [row[3:5] for row in own] == [("seen", 2), ("unseen", 1), ("harmonic mean", 3)]
    seen, unseen, together = (row[5] for row in own)
    assert isinstance(seen, float)
    assert isinstance(unseen, float)
    assert seen == pytest.approx(study.values[0, 1, 5, :2].mean())
    assert _value(together) == pytest.approx(2 / (1 / seen + 1 / unseen))


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
            record = next(_table(section, table).records())
            p = record["p"]
            assert isinstance(p, Number)
            assert p.reason is expected
            assert (p.value is None) is (record["smallest p"] is None) is (expected is not None)
        deciding = next(_table(section, "order").records())["p, deciding"]
        assert isinstance(deciding, Number)
        assert deciding.value is not None


def test_order_notes_what_so_many_runs_can_show() -> None:
    says = order_section(_with_a_team_for_each_run()).says
    # Of 6! = 720 orders 1, 5, 14, 29, 49, 71 and 90 have none to six swapped pairs. With two p is
    # 2 x 20 / 720 = 0.056, with one 0.017; one of 15 pairs leaves tau 13 / 15 = 0.87. A tau of 0.2 has six
    # swaps, and p 2 x 259 / 720 = 0.72.
    assert says == ("With 6 runs only a tau of 0.87 or more has p below 0.05; a tau of 0.2 has p = 0.72.",)


def test_items_to_grade_are_drawn_in_the_order_of_topics_and_docnos() -> None:
    """A library's hashes order a study's pairs; the items that are drawn must not depend on them."""
    study = small_study()
    rng = np.random.default_rng(3)
    moved = rng.permutation(study.topic_of_pair.size)
    other = replace(
        study,
        docnos=tuple(study.docnos[pair] for pair in moved),
        topic_of_pair=study.topic_of_pair[moved],
        grades=study.grades[:, moved],
        raw_scores=study.raw_scores[:, moved],
        retrieved=tuple(replace(each, pairs=np.argsort(moved)[each.pairs]) for each in study.retrieved),
    )
    first, second = (items_of(each, 2) for each in (study, other))
    assert first is not None
    assert second is not None
    assert (first.people == second.people).all()
    assert (first.judge == second.judge).all()


def test_a_division_called_difficulty_stays_beside_that_by_runs() -> None:
    votes = {f"T{number}": "unsure" if number < 4 else "sure" for number in range(8)}
    section = strata_section(small_study(strata={"difficulty": votes}))
    rows = _table(section, "strata").where(measure="AP", judge="clip").rows
    assert [(row[2], row[3], row[4]) for row in rows] == [
        ("difficulty", "sure", 4),
        ("difficulty", "unsure", 4),
        ("difficulty for runs", "hard", 3),
        ("difficulty for runs", "medium", 3),
        ("difficulty for runs", "easy", 2),
    ]
    assert section.says[0].startswith("Difficulty for runs: thirds of the topics")


def test_eleven_points_keep_to_the_level() -> None:
    study = small_study(level=2)
    row = _table(pages_section(study), "eleven-points").rows[5]
    expected = study.values_under(study.grades[0], 5, ["IPrec(rel=2)@0.5"]).mean()
    assert expected != study.values_under(study.grades[0], 5, ["IPrec@0.5"]).mean()
    assert row[6] == pytest.approx(expected)


def test_each_run_without_a_team_is_its_team_s_best() -> None:
    runs = [replace(run, team="") for run in RUNS]
    rows = _table(pages_section(_study(runs=runs)), "overview").rows
    assert [row[6] for row in rows] == ["best", "best"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("", False), ("3 of 8 topics", False), ("2 of 3 runs, 3 of 8 topics", True)],
)
def test_uniques_of_some_runs_are_noted_to_be_among_these(chosen: str, *, expected: bool) -> None:
    study = _study(chosen=chosen)
    words = "Among the chosen runs only (2 of 3 runs, 3 of 8 topics): others may have found the same items."
    for section, name in (
        (pages_section(study), "uniques"),
        (reusability_section(study), "leave-one-team-out"),
        (reusability_section(study), "leave-one-family-out"),
    ):
        assert (words in _table(section, name).notes) == expected


def test_saving_counts_the_items_that_people_must_grade() -> None:
    """All twelve of a topic, though the judge graded only six of them."""
    study, truth = small_study(), true_grades()
    half = {topic: dict(list(own.items())[:6]) for topic, own in truth.items()}
    sets = [graded_set("people", truth, "human"), graded_set("half", half)]
    fewer = study_of(study.design, study.runs, (ranking(n, truth) for n in range(6)), sets)
    rows = _table(saving_section(fewer), "saving").where(measure="AP").rows
    assert [row[2:4] for row in rows] == [(5, 60.0), (8, 96.0)]


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


def test_figure_of_significance_levels_names_its_test() -> None:
    (figure, *_) = decisions_section(small_study()).figures
    assert "(randomised Tukey HSD)" in figure.caption


def test_order_notes_the_runs_compared_and_the_design_s_alpha() -> None:
    study, truth = _with_a_team_for_each_run(alpha=0.01), true_grades()
    # With one swapped pair of 15 p is 2 x 6 / 720 = 0.017, with none 0.003.
    assert order_section(study).says[0].startswith("With 6 runs only a tau of 1.00 or more has p below 0.01;")
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
    for row in _table(decisions_section(alike), "decisions").rows:
        counts = dict(zip(("AA", "AD", "MA", "MD", "PA", "PD"), row[4:10], strict=True))
        assert sum(int(str(count)) for count in counts.values()) == row[3]
        assert (counts["AD"], counts["MA"], counts["MD"], counts["PD"]) == (0, 0, 0, 0)


def test_saving_ends_at_all_topics_with_no_width_left() -> None:
    rows = _table(saving_section(small_study()), "saving").where(measure="AP", judge="clip").rows
    assert [row[2] for row in rows] == [5, 8]
    assert rows[-1][4:6] == pytest.approx((0.0, 0.0), abs=1e-7)
    assert rows[-1][6:] == pytest.approx((1.0, 1.0, 1.0, 1.0))


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
    for table in (_table(order, "order"), _table(grades, "agreement"), _table(_bias(study), "bias")):
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                if isinstance(cell, Number) and column.name not in (OVER_TEAMS, "run-blind judges"):
                    assert (cell.low, cell.high) == (None, None), (table.name, column.name)
    for *_, difference in _table(order, "two-judges-order").rows:
        assert isinstance(difference, Number)
        assert difference.low is None
    for *_, difference, p, corrected in _table(grades, "two-judges-grades").rows:
        assert isinstance(difference, Number)
        assert difference.low is None
        assert _value(p) is None
        assert _value(corrected) is None


def test_one_topic_gives_no_findings() -> None:
    truth = {"T1": true_grades()["T1"]}
    section = decisions_section(_pair_study(truth, truth))
    for name in ("decisions", "discriminative-power"):
        table = _table(section, name)
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
        for row in _table(section, name).rows:
            for cell in (cell for cell in row if isinstance(cell, Number)):
                assert (cell.value, cell.low, cell.high) == (None, None, None), (name, row)


def test_order_notes_the_number_of_items() -> None:
    truth = true_grades()
    some = {topic: dict(list(own.items())[::5]) for topic, own in truth.items()}
    says = " ".join(order_section(_pair_study(truth, some)).says)
    assert "other grades 24 of the 96 items that people graded in topics of both" in says
    assert "items that people graded" not in " ".join(order_section(_pair_study(truth, truth)).says)
