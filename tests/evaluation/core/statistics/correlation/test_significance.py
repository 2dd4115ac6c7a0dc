import tracemalloc
from math import factorial

import numpy as np
import pytest
from scipy import stats

from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows, pearson_of_rows
from evaluation.core.statistics.correlation.significance import (
    correlation_test,
    exact_kendall_p,
    kendall_tail,
    kendall_test,
)
from evaluation.core.statistics.estimate import Reason


def test_exact_p_of_kendall_by_hand() -> None:
    # Four runs in the same order: 1 of 24 orders, and 1 as far on the other side.
    assert exact_kendall_p([1, 2, 3, 4], [1, 2, 3, 4]).value == pytest.approx(2 / 24)
    assert exact_kendall_p([1, 2], [4, 3]).value == 1.0


def test_exact_p_of_kendall_equals_scipys_for_sixteen_runs() -> None:
    x = list(range(16))
    y = [3, 0, 2, 7, 1, 5, 4, 6, 11, 8, 15, 9, 10, 14, 12, 13]
    assert exact_kendall_p(x, y).value == pytest.approx(stats.kendalltau(x, y, method="exact").pvalue)


def test_exact_p_needs_two_runs_and_no_ties() -> None:
    assert exact_kendall_p([1], [1]).reason is Reason.TOO_FEW
    assert exact_kendall_p([1, 1, 2], [1, 2, 3]).reason is Reason.TIES


def test_shuffling_all_orders_gives_the_exact_p() -> None:
    x, y = [1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 6, 5]
    shuffled = correlation_test(x, y, kendall_tau_b_of_rows, seed=0)
    assert shuffled.is_exact
    assert shuffled.arrangements == 720
    assert shuffled.p.value == pytest.approx(exact_kendall_p(x, y).value)


def test_kendall_test_shuffles_where_ties_leave_no_exact_distribution() -> None:
    test = kendall_test([1, 1, 2, 3], [1, 2, 3, 4], seed=0)
    # tau is 5 / sqrt(30) for 2 of the 24 orders of y (the tied runs swapped), and as low for 2 more.
    assert test.p.value == pytest.approx(4 / 24)
    assert test.is_exact


def test_a_sample_of_orders_counts_the_observed_one_and_names_its_seed() -> None:
    x = list(range(12))
    test = correlation_test(x, x, pearson_of_rows, seed=7, draws=99)
    assert (test.is_exact, test.seed, test.arrangements) == (False, 7, 99)
    assert test.p.value == pytest.approx(1 / 100)
    assert test.smallest == pytest.approx(1 / 100)
    assert correlation_test(x, x, pearson_of_rows, seed=7, draws=99) == test


def test_the_test_of_an_undefined_correlation_is_undefined() -> None:
    assert kendall_test([1, 1, 1], [1, 2, 3], seed=0).p.reason is Reason.CONSTANT


def test_memory_of_a_test_does_not_grow_with_the_pairs_of_runs() -> None:
    """2,000 orders of 300 runs are 90 million pairs, 360 MB at once; anybody may add runs."""
    values = np.arange(300.0)
    tracemalloc.start()
    kendall_test(values, values // 2, seed=1, draws=2000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000_000


def test_kendall_tail_equals_whole_numbers_of_permutations() -> None:
    """The permutations of n runs with k inversions are counted by a product of polynomials (OEIS A008302)."""
    inversions = [1]
    for n in range(2, 41):
        width = len(inversions) + n - 1
        inversions = [sum(inversions[max(0, k - n + 1) : k + 1]) for k in range(width)]
    total, at_most = factorial(40), 0
    for discordant in range(40 * 39 // 4 + 1):
        at_most += inversions[discordant]
        assert kendall_tail(40, discordant) == pytest.approx(2 * (at_most / total), rel=1e-12)
