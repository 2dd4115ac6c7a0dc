"""Numbers of the other sections worked out by hand, on two runs and one or two topics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Findings
from evaluation.core.report.sections.ranking.decisions import decisions_section
from evaluation.core.report.sections.ranking.strata import strata_section
from evaluation.core.report.sections.result_pages.pages import pages_section
from evaluation.core.report.sections.reusability import reusability_section
from evaluation.core.report.sections.saving.items import items_of
from evaluation.core.report.sections.saving.topics import saving_section
from evaluation.core.report.sections.summary.methods import methods_section
from tests.evaluation.core.report.study import (
    graded_set,
    ranking,
    small_study,
    true_grades,
)
from tests.evaluation.core.report.two_runs import RUNS, bias_of, study_of_two_runs, table_of, value_of


@pytest.mark.parametrize(
    ("depths", "expected"),
    [
        ((30, 25), "1 topic. They were pooled to depths of 25 to 30. People graded"),
        ((30, 0), "They were pooled to depth 30; 1 of them were not."),
        ((30, None), "The depth of the pools was inferred from the judgments."),
    ],
)
def test_methods_name_the_pool_depths_of_the_runs(depths: tuple[int | None, ...], expected: str) -> None:
    runs = [replace(run, pool_depth=depth) for run, depth in zip(RUNS, depths, strict=True)]
    assert expected in methods_section(study_of_two_runs(runs=runs), Findings({})).says[0]


def test_leaving_a_team_out_takes_what_it_alone_found() -> None:
    rows = table_of(reusability_section(study_of_two_runs()), "leave-one-team-out").rows
    # Without x one relevant item is left, which a does not have: it falls from 0.5 to 0, below b's 0.25.
    # Without y it is x, which b does not have; b stays behind a.
    assert rows == (
        ("AP", "Kestrel", "a", 1, 1, 0.5, 0.0, -0.5, 1),
        ("AP", "Nordlys", "b", 1, 1, 0.25, 0.0, -0.25, 0),
    )


def test_shallower_pools_keep_what_some_run_ranks_within_the_depth() -> None:
    (row,) = table_of(reusability_section(study_of_two_runs()), "depths").rows
    assert row[:4] == ("AP", 5, 3, 2)
    assert value_of(row[4]) == 1.0


def test_runs_have_their_judged_share() -> None:
    rows = table_of(reusability_section(study_of_two_runs()), "judged").rows
    # RBP with p = 0.8: 0.2 for a (relevant first), 0.2 x 0.8 for b (second). Nothing is seen beyond rank 2.
    assert [row[0] for row in rows] == ["a", "b"]
    assert [row[4] for row in rows] == pytest.approx([0.2, 0.16])
    # All of the two results of each run are judged: the eight places that stay empty are not unjudged.
    assert [row[2:4] for row in rows] == [(0.2, 0.0), (0.2, 0.0)]


def test_axis_of_unjudged_results_starts_at_none() -> None:
    """Every run has a share of 0, which padding on both sides would place beside shares below 0."""
    figures = reusability_section(study_of_two_runs()).figures
    (figure,) = [each for each in figures if each.name == "unjudged"]
    assert ">0.00<" in figure.svg
    assert "−0.0" not in figure.svg


def test_judge_as_a_run_is_ranked_among_the_runs() -> None:
    (row,) = table_of(bias_of(study_of_two_runs()), "judges-as-runs").rows
    # It ranks y, x, z: AP 1 by people and by itself, the first of three.
    assert row == ("AP", "judge", 1.0, 1, 1.0, 1, 3)


def test_eleven_points_are_interpolated_precision() -> None:
    rows = table_of(pages_section(study_of_two_runs()), "eleven-points").rows
    # a has half of the relevant at rank 1, and never the rest. (In between, rounding decides.)
    assert rows[0][:7] == ("a", *([1.0] * 6))
    assert rows[0][-3:] == (0.0, 0.0, 0.0)


def test_uniques_count_what_a_run_alone_found() -> None:
    rows = table_of(pages_section(study_of_two_runs()), "uniques").rows
    assert rows == (("a", "Kestrel", 10, 2, 1, 1), ("b", "Nordlys", 10, 2, 1, 1))


def test_uniques_keep_to_the_depth_to_which_runs_were_pooled() -> None:
    pooled = [replace(RUNS[0], pool_depth=1), replace(RUNS[1], pool_depth=0)]
    found = table_of(pages_section(study_of_two_runs(runs=pooled)), "uniques")
    # a brings x alone, b nothing: z and y are in the pool by others, or by hand.
    assert found.rows == (("a", "Kestrel", 1, 1, 1, 1), ("b", "Nordlys", 0, 0, 0, 0))
    assert found.notes[0].endswith("Pool depths are those to which the runs were pooled.")


def test_runs_are_compared_with_median_and_best_of_each_topic() -> None:
    rows = table_of(pages_section(study_of_two_runs()), "runs-by-topic").rows
    assert rows == (("a", "T1", 0.5, 0.125, 0.0), ("b", "T1", 0.25, -0.125, -0.25))


def test_saving_by_items_ends_at_the_precision_of_all() -> None:
    """The estimate from all items is P@10 on them, for any judge."""
    study = small_study()
    items = items_of(study, 2)
    assert items is not None
    expected = study.values_under(study.grades[0], 5, ["P@10"]).mean()
    assert items.full[5] == pytest.approx(expected)
    rows = table_of(saving_section(study), "saving-by-items").where(judge="clip").rows
    judged = {pair for found in study.retrieved for pair in found.pairs[found.ranks < 10].tolist()}
    assert [row[1] for row in rows] == [len(judged)]
    assert rows[-1][2:4] == pytest.approx((0.0, 0.0), abs=1e-7)
    assert rows[-1][4:] == pytest.approx((1.0, 1.0, 1.0, 1.0))


def test_strata_of_the_design_have_n_and_a_harmonic_mean() -> None:
    strata = {"page": {"T0": "seen", "T1": "seen", "T2": "unseen"}}
    study = small_study(strata=strata)
    rows = table_of(strata_section(study), "runs-by-stratum").where(measure="AP").rows
    own = [row for row in rows if row[1:3] == ("page", "run5")]
    assert [row[3:5] for row in own] == [("seen", 2), ("unseen", 1), ("harmonic mean", 3)]
    seen, unseen, together = (row[5] for row in own)
    assert isinstance(seen, float)
    assert isinstance(unseen, float)
    assert seen == pytest.approx(study.values[0, 1, 5, :2].mean())
    assert value_of(together) == pytest.approx(2 / (1 / seen + 1 / unseen))


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
    rows = table_of(section, "strata").where(measure="AP", judge="clip").rows
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
    row = table_of(pages_section(study), "eleven-points").rows[5]
    expected = study.values_under(study.grades[0], 5, ["IPrec(rel=2)@0.5"]).mean()
    assert expected != study.values_under(study.grades[0], 5, ["IPrec@0.5"]).mean()
    assert row[6] == pytest.approx(expected)


def test_each_run_without_a_team_is_its_team_s_best() -> None:
    runs = [replace(run, team="") for run in RUNS]
    rows = table_of(pages_section(study_of_two_runs(runs=runs)), "overview").rows
    assert [row[6] for row in rows] == ["best", "best"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("", False), ("3 of 8 topics", False), ("2 of 3 runs, 3 of 8 topics", True)],
)
def test_uniques_of_some_runs_are_noted_to_be_among_these(chosen: str, *, expected: bool) -> None:
    study = study_of_two_runs(chosen=chosen)
    words = "Among the chosen runs only (2 of 3 runs, 3 of 8 topics): others may have found the same items."
    for section, name in (
        (pages_section(study), "uniques"),
        (reusability_section(study), "leave-one-team-out"),
        (reusability_section(study), "leave-one-family-out"),
    ):
        assert (words in table_of(section, name).notes) == expected


def test_saving_counts_the_items_that_people_must_grade() -> None:
    """All twelve of a topic, though the judge graded only six of them."""
    study, truth = small_study(), true_grades()
    half = {topic: dict(list(own.items())[:6]) for topic, own in truth.items()}
    sets = [graded_set("people", truth, "human"), graded_set("half", half)]
    fewer = study_of(study.design, study.runs, (ranking(n, truth) for n in range(6)), sets)
    rows = table_of(saving_section(fewer), "saving").where(measure="AP").rows
    assert [row[2:4] for row in rows] == [(5, 60.0), (8, 96.0)]


def test_figure_of_significance_levels_names_its_test() -> None:
    (figure, *_) = decisions_section(small_study()).figures
    assert "(randomised Tukey HSD)" in figure.caption


def test_saving_ends_at_all_topics_with_no_width_left() -> None:
    rows = table_of(saving_section(small_study()), "saving").where(measure="AP", judge="clip").rows
    assert [row[2] for row in rows] == [5, 8]
    assert rows[-1][4:6] == pytest.approx((0.0, 0.0), abs=1e-7)
    assert rows[-1][6:] == pytest.approx((1.0, 1.0, 1.0, 1.0))
