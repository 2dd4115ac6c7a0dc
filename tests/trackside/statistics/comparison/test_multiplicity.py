import numpy as np
import pytest
from scipy import stats

from trackside.statistics.comparison.multiplicity import adjust, letters, paired_t_tests, superscripts

P = [0.01, 0.02, 0.03, 0.5]


def test_adjusted_p_by_hand() -> None:
    assert adjust(P, "bonferroni") == pytest.approx([0.04, 0.08, 0.12, 1.0])
    # 4 * 0.01, then max(0.04, 3 * 0.02), max(0.06, 2 * 0.03), 0.5.
    assert adjust(P, "holm") == pytest.approx([0.04, 0.06, 0.06, 0.5])
    # From the end: 0.5, 4/3 * 0.03, min(0.04, 4/2 * 0.02), min(0.04, 4 * 0.01).
    assert adjust(P, "BH") == pytest.approx([0.04, 0.04, 0.04, 0.5])
    # BY is BH times 1 + 1/2 + 1/3 + 1/4 = 25/12.
    assert adjust(P, "BY") == pytest.approx([0.04 * 25 / 12, 0.04 * 25 / 12, 0.04 * 25 / 12, 1.0])


def test_adjusted_p_keeps_the_order_of_the_tests() -> None:
    # Sorted 0.001, 0.02, 0.3 times 3, 2, 1.
    assert adjust([0.3, 0.001, 0.02], "holm") == pytest.approx([0.3, 0.003, 0.04])


def test_adjusted_p_never_falls_where_p_rises() -> None:
    # 2 * 0.02 and 1 * 0.03 of Holm: the second is not below the first.
    assert adjust([0.02, 0.03], "holm") == pytest.approx([0.04, 0.04])
    # 2/1 * 0.02 and 2/2 * 0.03 of Benjamini and Hochberg: the first is not above the second.
    assert adjust([0.02, 0.03], "BH") == pytest.approx([0.03, 0.03])


def test_a_missing_p_stays_missing_and_does_not_count() -> None:
    assert adjust([0.01, None, 0.03], "bonferroni") == [pytest.approx(0.02), None, pytest.approx(0.06)]
    assert adjust([None], "holm") == [None]
    assert adjust([], "BH") == []


def test_letters_continue_after_z() -> None:
    names = letters(54)
    assert (names[0], names[25], names[26], names[27], names[52], names[53]) == (
        "a",
        "z",
        "aa",
        "ab",
        "ba",
        "bb",
    )


def test_superscripts_name_the_runs_that_are_beaten() -> None:
    better = {("first", "second"): True, ("first", "third"): True, ("second", "third"): False}
    assert superscripts(["first", "second", "third"], better) == {"first": "bc", "second": "", "third": ""}


def test_superscripts_of_many_runs_are_separated() -> None:
    runs = [f"run{place:02}" for place in range(30)]
    better = {("run00", "run01"): True, ("run00", "run27"): True}
    assert superscripts(runs, better)["run00"] == "b,ab"


@pytest.mark.parametrize("topics", [2, 12])
def test_paired_t_tests_are_scipy_s_with_holm_s_correction(topics: int) -> None:
    values = np.random.default_rng(2).random((4, topics)) + np.arange(4)[:, None] / 4
    found = paired_t_tests(values)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    expected = adjust([float(stats.ttest_rel(values[i], values[j]).pvalue) for i, j in pairs], "holm")
    assert found.p == pytest.approx(expected)
    assert found.differences == pytest.approx([values[i].mean() - values[j].mean() for i, j in pairs])


def test_differences_that_are_equal_on_all_topics_have_p_0_or_1() -> None:
    found = paired_t_tests(np.array([[0.5, 0.25, 0.75], [0.5, 0.25, 0.75]]))
    assert found.p.tolist() == [1.0]
    assert paired_t_tests(np.array([[0.5, 0.25, 0.75], [0.25, 0.0, 0.5]])).p.tolist() == [0.0]


def test_one_topic_tests_nothing() -> None:
    values = np.array([[0.5], [0.25]])
    assert np.isnan(paired_t_tests(values).p).all()
