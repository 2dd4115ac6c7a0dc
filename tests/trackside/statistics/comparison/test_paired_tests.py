from math import inf

import numpy as np
import pytest
from scipy import stats

from trackside.statistics.comparison.paired_tests import (
    differences,
    effect_size,
    randomisation_test,
    sign_flips,
    sign_test,
    t_test,
    two_sided,
    wilcoxon_test,
)
from trackside.statistics.estimate import Reason

A = [0.50, 0.62, 0.31, 0.77, 0.42, 0.58, 0.49, 0.66, 0.71, 0.35]
B = [0.45, 0.50, 0.34, 0.60, 0.40, 0.43, 0.50, 0.58, 0.55, 0.29]


def test_differences_are_rounded_so_that_equal_ones_are_tied() -> None:
    d = differences([0.3, 0.2], [0.2, 0.1])
    assert d[0] == d[1] == 0.1


def test_t_test_equals_scipys() -> None:
    ours, theirs = t_test(differences(A, B)), stats.ttest_rel(A, B)
    interval = theirs.confidence_interval()
    assert ours.t.value == pytest.approx(theirs.statistic)
    assert ours.p.value == pytest.approx(theirs.pvalue)
    assert (ours.interval.low, ours.interval.high) == pytest.approx((interval.low, interval.high))


def test_t_test_is_undefined_without_spread() -> None:
    assert t_test(differences([0.2, 0.3], [0.1, 0.2])).t.reason is Reason.NO_SPREAD
    assert t_test(differences([0.2], [0.1])).p.reason is Reason.TOO_FEW
    assert t_test(differences([0.2], [0.1])).interval.reason is Reason.TOO_FEW


def test_wilcoxon_equals_scipys_with_and_without_ties() -> None:
    d = differences(A, B)
    ours = wilcoxon_test(d)
    # scipy's statistic is the smaller of the two sums of ranks, R's V the one of positive differences.
    assert ours.v.value == 55 - stats.wilcoxon(d).statistic
    assert ours.p == ours.exact
    assert ours.exact.value == pytest.approx(stats.wilcoxon(d, method="exact").pvalue)
    tied = np.array([0.1, 0.2, -0.05, 0.0, 0.1, 0.3, -0.1, 0.05, 0.25, 0.0])
    ours = wilcoxon_test(tied)
    for is_corrected, p in ((False, ours.normal), (True, ours.corrected)):
        theirs = stats.wilcoxon(tied, zero_method="wilcox", correction=is_corrected, method="approx")
        assert p.value == pytest.approx(theirs.pvalue)
    assert ours.exact.reason is Reason.TIES
    assert ours.p == ours.corrected


def test_wilcoxon_by_hand() -> None:
    # Ranks 1, 2, 3, all positive: 1 of 8 sign patterns on each side.
    assert wilcoxon_test(np.array([0.1, 0.2, 0.3])).exact.value == pytest.approx(2 / 8)
    assert wilcoxon_test(np.zeros(3)).p.reason is Reason.NO_SPREAD


def test_sign_test_by_hand() -> None:
    # 8 wins, 2 losses: 2 (1 + 10 + 45) / 1024.
    test = sign_test(differences(A, B))
    assert (test.wins, test.ties, test.losses) == (8, 0, 2)
    assert test.p.value == pytest.approx(2 * 56 / 1024)
    assert sign_test(np.array([0.1, 0.0, -0.1])).p.value == 1.0
    assert sign_test(np.zeros(4)).p.reason is Reason.NO_SPREAD


def test_randomisation_test_by_hand() -> None:
    # Differences 1, 2, 3: only all signs alike reach a mean of 2, on two sides of 8 patterns.
    test = randomisation_test(np.array([1.0, 2.0, 3.0]), seed=0)
    assert (test.p.value, test.is_exact) == (2 / 8, True)
    assert randomisation_test(np.zeros(3), seed=0).p.value == 1.0
    assert randomisation_test(np.array([]), seed=0).p.reason is Reason.EMPTY


def test_randomisation_test_samples_beyond_seventeen_topics_near_the_t_test() -> None:
    d = np.random.default_rng(5).normal(0.02, 0.1, 60)
    test = randomisation_test(d, seed=6)
    assert not test.is_exact
    assert test.p.value == pytest.approx(float(stats.ttest_1samp(d, 0).pvalue), abs=0.02)


def test_effect_sizes_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, standard deviation 1; Hedges' factor 1 - 3 / (4 * 2 - 1).
    size = effect_size(np.array([1.0, 2.0, 3.0]))
    assert size.d_z.value == pytest.approx(2.0)
    assert size.g_z.value == pytest.approx(2 * (1 - 3 / 7))


def test_effect_sizes_without_spread() -> None:
    assert effect_size(np.array([0.1, 0.1])).d_z.value == inf
    assert effect_size(np.array([-0.1, -0.1])).d_z.value == -inf
    assert effect_size(np.array([0.1, 0.1])).g_z.reason is Reason.NO_SPREAD
    assert effect_size(np.zeros(3)).d_z.reason is Reason.NO_SPREAD
    assert effect_size(np.array([0.1])).d_z.reason is Reason.TOO_FEW


def test_sign_flips_are_all_up_to_seventeen_topics() -> None:
    assert len(np.unique(sign_flips(4, seed=0)[0], axis=0)) == 16
    rows, is_exact = sign_flips(17, seed=0)
    assert (len(rows), is_exact) == (131_072, True)
    rows, is_exact = sign_flips(18, seed=3, draws=50)
    assert (rows.shape, is_exact) == ((50, 18), False)


def test_two_sided_p_counts_both_sides_and_what_rounding_moves() -> None:
    others = np.array([-2.0, -1.0, 0.0, 1.0, 2.0 - 1e-14])
    assert two_sided(2.0, others, is_exact=True).p.value == 2 / 5
    assert two_sided(0.0, others, is_exact=True).p.value == 1.0


def test_a_sampled_p_is_never_zero() -> None:
    assert two_sided(9.0, np.zeros(99), is_exact=False).p.value == 1 / 100
