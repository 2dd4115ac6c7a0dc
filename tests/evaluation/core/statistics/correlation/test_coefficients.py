import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.core.statistics.correlation.coefficients import (
    kendall_tau_b_of_rows,
)
from evaluation.core.statistics.estimate import Reason
from tests.references.correlation import kendall_tau_b, pair_counts, pearson

tied_values = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


def test_kendall_counts_pairs_by_hand() -> None:
    # x rises; y = 1, 3, 2: of three pairs only the last is out of order.
    counts = pair_counts([1, 2, 3], [1, 3, 2])
    assert (counts.concordant, counts.discordant, counts.tied) == (2, 1, 0)


def test_kendall_tau_b_divides_by_the_untied_pairs_of_each_side() -> None:
    # x has 5 untied pairs of 6, y has 6; concordant 5, discordant 0: 5 / sqrt(30).
    assert kendall_tau_b([1, 1, 2, 3], [1, 2, 3, 4]).value == pytest.approx(5 / 30**0.5)


def test_kendall_ties_means_that_differ_by_rounding_alone() -> None:
    x, y = [0.1 + 0.2, 0.3, 0.5], [1, 1, 2]
    assert kendall_tau_b(x, y).value == pytest.approx(1.0)
    assert kendall_tau_b(x, y, tie=0.0).value == pytest.approx(2 / 6**0.5)


@given(tied_values)
def test_kendall_tau_b_equals_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    ours = kendall_tau_b(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert ours.reason is Reason.CONSTANT
    else:
        assert ours.value == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_rows_give_what_each_row_gives() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 5, (20, 6)).astype(float), rng.integers(0, 5, (20, 6)).astype(float)
    singles = [kendall_tau_b(a, b).value for a, b in zip(x, y, strict=True)]
    rows = kendall_tau_b_of_rows(x, y)
    assert [None if np.isnan(tau) else tau for tau in rows] == pytest.approx(singles)


@pytest.mark.parametrize("correlation", [kendall_tau_b, pearson])
def test_correlations_are_undefined_without_spread_or_values(correlation: object) -> None:
    assert callable(correlation)
    assert correlation([], []).reason is Reason.TOO_FEW
    assert correlation([1.0], [2.0]).reason is Reason.TOO_FEW
    assert correlation([1.0, 2.0, 3.0], [2.0, 2.0, 2.0]).reason is Reason.CONSTANT


def test_pearson_correlates_values_not_ranks() -> None:
    # Deviations 0.175, 0.075, -0.025, -0.225 and -0.1675, 0.5325, -0.1775, -0.1875: products sum to 0.05725.
    x, y = [0.5, 0.4, 0.3, 0.1], [0.2, 0.9, 0.19, 0.18]
    assert pearson(x, y).value == pytest.approx(0.05725 / (0.0875 * 0.378275) ** 0.5)


def test_vectors_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        kendall_tau_b([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="not a finite number"):
        pearson([1.0, float("nan")], [1.0, 2.0])
