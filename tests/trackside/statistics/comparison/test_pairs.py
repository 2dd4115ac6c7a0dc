import numpy as np
import polars as pl
import pytest

from trackside.errors import InputError
from trackside.statistics.comparison.multiplicity import adjust
from trackside.statistics.comparison.paired_tests import differences, t_test
from trackside.statistics.comparison.pairs import compare_runs
from trackside.statistics.comparison.tukey import randomised_tukey, tukey_hsd
from trackside.statistics.estimate import Reason

RNG = np.random.default_rng(6)
RUNS = ("low", "high", "middle")
VALUES = np.clip(RNG.random((60, 1)) * 0.4 + np.array([0.0, 0.2, 0.19]) + RNG.normal(0, 0.05, (60, 3)), 0, 1)


def test_runs_are_ordered_by_mean_and_carry_the_letters_of_those_they_beat() -> None:
    comparison = compare_runs(VALUES, RUNS)
    assert list(comparison.means) == ["high", "middle", "low"]
    assert comparison.letters == {"high": "c", "middle": "c", "low": ""}
    assert [(pair.better, pair.worse) for pair in comparison.pairs] == [
        ("high", "middle"),
        ("high", "low"),
        ("middle", "low"),
    ]
    assert (comparison.topic_count, comparison.left_out) == (60, 0)


def test_pairs_have_their_test_adjusted_for_all_pairs() -> None:
    comparison = compare_runs(VALUES, RUNS, method="bonferroni")
    tests = [t_test(differences(VALUES[:, i], VALUES[:, j])) for i, j in ((1, 2), (1, 0), (2, 0))]
    assert [pair.p for pair in comparison.pairs] == [test.p for test in tests]
    assert [pair.interval for pair in comparison.pairs] == [test.interval for test in tests]
    adjusted = adjust([test.p.value for test in tests], "bonferroni")
    assert [pair.adjusted_p.value for pair in comparison.pairs] == adjusted
    plain = compare_runs(VALUES, RUNS, method=None)
    assert [pair.adjusted_p for pair in plain.pairs] == [pair.p for pair in plain.pairs]


def test_a_baseline_is_compared_and_adjusted_for_alone() -> None:
    comparison = compare_runs(VALUES, RUNS, baseline="middle", method="bonferroni")
    assert [(pair.better, pair.worse) for pair in comparison.pairs] == [("high", "middle"), ("middle", "low")]
    p = [pair.p.value for pair in comparison.pairs]
    assert [pair.adjusted_p.value for pair in comparison.pairs] == adjust(p, "bonferroni")
    with pytest.raises(InputError, match="is not a run: name one of low, high, middle"):
        compare_runs(VALUES, RUNS, baseline="bm25")


def test_tukeys_intervals_are_about_the_better_run_less_the_worse() -> None:
    high_middle, high_low = compare_runs(VALUES, RUNS, test="tukey").pairs[:2]
    test = tukey_hsd(VALUES)
    assert test
    # Columns: low 0, high 1, middle 2.
    for pair, p in ((high_middle, test.p[1, 2]), (high_low, test.p[0, 1])):
        ends = (pair.difference - test.half, pair.difference + test.half)
        assert (pair.interval.low, pair.interval.high) == pytest.approx(ends)
        assert pair.p.value == pair.adjusted_p.value == p


def test_tukeys_test_of_runs_that_differ_by_a_constant_is_undefined() -> None:
    (pair,) = compare_runs(np.array([[0.1, 0.2], [0.3, 0.4]]), ["low", "high"], test="tukey").pairs
    assert pair.p.reason is pair.interval.reason is Reason.NO_SPREAD


def test_randomised_tukey_has_p_and_no_interval() -> None:
    comparison = compare_runs(VALUES, RUNS, test="randomised-tukey", seed=4)
    assert comparison.pairs[0].p.value == randomised_tukey(VALUES, seed=4)[1, 2]
    assert comparison.pairs[0].interval.reason is Reason.NO_INTERVAL


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "randomisation"])
def test_the_other_tests_find_the_clear_difference(test: str) -> None:
    comparison = compare_runs(VALUES, RUNS, test=test, seed=1)  # type: ignore[arg-type]
    assert comparison.letters["high"] == "c"


def test_topics_without_a_value_are_left_out_and_counted() -> None:
    gaps = VALUES.copy()
    gaps[3, 1] = np.nan
    comparison = compare_runs(gaps, RUNS)
    assert (comparison.topic_count, comparison.left_out) == (59, 1)
    assert comparison.means["low"] == pytest.approx(np.delete(VALUES[:, 0], 3).mean())


def test_equal_runs_are_not_significant_but_undefined() -> None:
    comparison = compare_runs(np.full((5, 2), 0.5), ["a", "b"])
    assert comparison.pairs[0].p.reason is Reason.NO_SPREAD
    assert not comparison.pairs[0].is_significant
    assert comparison.letters == {"a": "", "b": ""}


def test_two_runs_and_two_topics_are_the_least() -> None:
    for values, runs in ((VALUES[:1], RUNS), (VALUES[:, :1], RUNS[:1])):
        with pytest.raises(InputError, match="needs two of each"):
            compare_runs(values, runs)


def test_frame_has_a_row_for_each_pair_and_its_numbers() -> None:
    comparison = compare_runs(VALUES, RUNS)
    frame = comparison.to_frame()
    first, row = comparison.pairs[0], frame.row(0, named=True)
    assert frame.height == 3
    assert row == {
        "better": "high",
        "worse": "middle",
        "difference": first.difference,
        "low": first.interval.low,
        "high": first.interval.high,
        "p": first.p.value,
        "adjusted_p": first.adjusted_p.value,
        "d_z": first.effect.d_z.value,
        "g_z": first.effect.g_z.value,
        "wins": first.sign.wins,
        "ties": first.sign.ties,
        "losses": first.sign.losses,
        "is_significant": first.is_significant,
        "reason": None,
    }
    same = compare_runs(np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]), ("a", "b")).to_frame()
    numbers = dict.fromkeys(("low", "high", "p", "adjusted_p", "d_z", "g_z"), pl.Float64)
    assert numbers.items() <= dict(same.schema).items()
    assert same["reason"].to_list() == ["no_spread"]
