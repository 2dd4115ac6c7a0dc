"""Standings against the comparison of runs that the command line prints, and by hand."""

import numpy as np
import pytest

from trackside.measuring.standings import spans, standings
from trackside.statistics.comparison.pairs import compare_runs
from trackside.statistics.estimate import IntervalMethod

TAGS = ["bm25", "dense", "fused", "chance"]
# Six topics; fused is a little above dense on each, chance far below everything.
VALUES = np.array([
    [0.40, 0.52, 0.31, 0.45, 0.60, 0.38],
    [0.50, 0.55, 0.40, 0.52, 0.61, 0.47],
    [0.52, 0.58, 0.41, 0.54, 0.64, 0.48],
    [0.02, 0.05, 0.01, 0.00, 0.03, 0.02],
])  # fmt: skip


def test_letters_are_those_of_the_pairwise_comparison() -> None:
    found = standings(VALUES, TAGS)
    expected = compare_runs(VALUES.T, TAGS, test="t", method="holm")
    assert [each.tag for each in found] == list(expected.means)
    assert [each.rank for each in found] == [1, 2, 3, 4]
    assert [each.letter for each in found] == ["a", "b", "c", "d"]
    for each in found:
        assert each.mean == pytest.approx(expected.means[each.tag])
        beaten = expected.letters[each.tag]
        assert each.better_than == (f"{beaten[0]}–{beaten[-1]}" if len(beaten) == 3 else " ".join(beaten))


def test_mostly_zeros_of_a_bounded_measure_have_an_interval_of_two_parts() -> None:
    values = np.concatenate([np.zeros(30), np.linspace(0.1, 0.9, 10)])[None, :]
    [bounded] = standings(values, ["a"], bounds=(0.0, 1.0))
    assert bounded.interval.method == IntervalMethod.TWO_PART
    [unbounded] = standings(values, ["a"])
    assert unbounded.interval.method == IntervalMethod.HALL


def test_a_difference_that_chance_explains_is_none() -> None:
    # By hand: differences 0.1, -0.1, 0.1, -0.1, 0.1, 0: mean 0.017, t = 0.42 with 5 degrees, p = 0.69.
    one = np.array([0.5, 0.4, 0.5, 0.4, 0.5, 0.4])
    found = standings(np.array([one, one - [0.1, -0.1, 0.1, -0.1, 0.1, 0.0]]), ["a", "b"])
    assert [(each.tag, each.better_than) for each in found] == [("a", ""), ("b", "")]


def test_a_lower_mean_can_be_the_better_run_on_the_topics_of_both() -> None:
    # "wide" has the higher mean by a topic that "narrow" has no value for; on the others it is worse by 0.1.
    narrow = np.array([0.31, 0.40, 0.52, 0.43, 0.62, np.nan])
    wide = np.array([0.21, 0.31, 0.41, 0.33, 0.52, 1.0])
    found = standings(np.array([narrow, wide]), ["narrow", "wide"])
    assert [(each.tag, each.better_than) for each in found] == [("wide", ""), ("narrow", "a")]


def test_runs_without_a_mean_are_sorted_by_tag() -> None:
    found = standings(np.array([[np.nan], [0.5], [np.nan]]), ["c", "b", "a"])
    assert [each.tag for each in found] == ["b", "a", "c"]


def test_a_topic_without_a_value_is_left_out_of_the_mean_and_of_every_test() -> None:
    values = VALUES.copy()
    values[0, 0] = np.nan
    found = {each.tag: each for each in standings(values, TAGS)}
    assert found["bm25"].mean == pytest.approx(VALUES[0, 1:].mean())
    assert found["fused"].mean == pytest.approx(VALUES[2].mean())
    expected = compare_runs(values.T, TAGS, test="t", method="holm")
    assert {tag: len(each.better_than) > 0 for tag, each in found.items()} == {
        tag: len(letters) > 0 for tag, letters in expected.letters.items()
    }


def test_a_run_without_values_comes_last_without_rank_mean_and_interval() -> None:
    values = VALUES.copy()
    values[2] = np.nan
    *others, last = standings(values, TAGS)
    assert (last.tag, last.rank, last.mean) == ("fused", None, None)
    assert (last.interval.low, last.better_than) == (None, "")
    expected = compare_runs(
        np.delete(values, 2, axis=0).T, ["bm25", "dense", "chance"], test="t", method="holm"
    )
    assert {each.tag: bool(each.better_than) for each in others} == {
        tag: bool(found) for tag, found in expected.letters.items()
    }


def test_one_run_is_first_and_better_than_no_other() -> None:
    [only] = standings(VALUES[:1], TAGS[:1])
    assert (only.rank, only.letter, only.better_than) == (1, "a", "")


def test_no_runs_and_no_topics_have_no_standings() -> None:
    assert standings(np.empty((0, 3)), []) == []
    assert [each.rank for each in standings(np.empty((1, 0)), ["a"])] == [None]


def test_spans_join_three_letters_or_more() -> None:
    names = ["a", "b", "c", "d", "e", "f", "g"]
    assert spans(["a", "c", "d", "e", "g"], names) == "a c–e g"
    assert spans(["a", "b"], names) == "a b"
    assert spans([], names) == ""
