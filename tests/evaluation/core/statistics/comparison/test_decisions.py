import numpy as np
import pytest
from scipy import stats

from evaluation.core.statistics.comparison.decisions import (
    PairTests,
    compare_decisions,
    paired_t_tests,
    tukey_tests,
)
from evaluation.core.statistics.comparison.multiplicity import adjust


def test_paired_t_tests_are_scipy_s_with_holm_s_correction() -> None:
    values = np.random.default_rng(2).random((4, 12)) + np.arange(4)[:, None] / 4
    found = paired_t_tests(values)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    expected = adjust([float(stats.ttest_rel(values[i], values[j]).pvalue) for i, j in pairs], "holm")
    assert found.p == pytest.approx(expected)
    assert found.differences == pytest.approx([values[i].mean() - values[j].mean() for i, j in pairs])


def test_a_pair_that_never_differs_has_no_p_and_is_not_significant() -> None:
    found = paired_t_tests(np.array([[0.5, 0.25, 0.75], [0.5, 0.25, 0.75]]))
    assert np.isnan(found.p).all()
    assert not found.is_significant(0.05).any()


def test_one_topic_tests_nothing() -> None:
    values = np.array([[0.5], [0.25]])
    assert np.isnan(paired_t_tests(values).p).all()
    assert np.isnan(tukey_tests([values], seed=1)[0].p).all()


def test_decisions_fall_into_six_kinds() -> None:
    # Significant under both, alike and opposite; under one, alike and opposite; under none, likewise.
    truth = PairTests(np.array([0.3, 0.3, 0.3, -0.1, 0.1, 0.1]), np.array([0.01, 0.01, 0.01, 0.5, 0.5, 0.5]))
    other = PairTests(np.array([0.2, -0.2, 0.1, 0.3, 0.1, -0.1]), np.array([0.01, 0.01, 0.5, 0.01, 0.5, 0.5]))
    found = compare_decisions(truth, other, alpha=0.05)
    assert found.counts == dict.fromkeys(("AA", "AD", "MA", "MD", "PA", "PD"), 1)
    # The other set finds pairs 1, 2 and 4; only the first is so under the truth.
    assert (found.found, found.false) == (3, 2)


def test_tied_runs_agree() -> None:
    truth = PairTests(np.array([0.0]), np.array([np.nan]))
    other = PairTests(np.array([-0.4]), np.array([0.2]))
    assert compare_decisions(truth, other, alpha=0.05).counts["PA"] == 1
