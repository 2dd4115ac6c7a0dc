import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.references.correlation import kendall_tau_a, pearson_interval, pearson_p, spearman
from trackside.statistics.estimate import Reason

# Values of ten runs.
X = [0.9, 0.37, 0.91, 0.905, 0.66, 0.06, 0.18, 0.38, 0.5, 0.99]
Y = [0.82, 0.41, 0.817, 0.95, 0.67, 0.07, 0.36, 0.55, 0.59, 0.988]

tied_values = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


def test_kendall_tau_a_by_hand() -> None:
    # x rises; y = 1, 3, 2: of three pairs only the last is out of order.
    assert kendall_tau_a([1, 2, 3], [1, 3, 2]).value == pytest.approx(1 / 3)
    assert kendall_tau_a([1], [1]).reason is Reason.TOO_FEW


@given(tied_values)
def test_spearman_equals_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert spearman(x, y).value == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def test_spearman_correlates_ranks() -> None:
    # Ranks 4, 3, 2, 1 and 3, 4, 2, 1: 1 - 6 (1 + 1) / (4 * 15).
    assert spearman([0.5, 0.4, 0.3, 0.1], [0.2, 0.9, 0.19, 0.18]).value == pytest.approx(0.8)


def test_spearman_is_undefined_without_spread_or_values() -> None:
    assert spearman([], []).reason is Reason.TOO_FEW
    assert spearman([1.0], [2.0]).reason is Reason.TOO_FEW
    assert spearman([1.0, 2.0, 3.0], [2.0, 2.0, 2.0]).reason is Reason.CONSTANT


def test_pearson_interval_and_p_equal_scipys() -> None:
    theirs = stats.pearsonr(X, Y)
    r, interval = float(theirs.statistic), theirs.confidence_interval()
    ours = pearson_interval(r, len(X))
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high))
    assert pearson_p(r, len(X)).value == pytest.approx(theirs.pvalue)


def test_pearson_interval_and_p_at_their_limits() -> None:
    assert pearson_interval(0.5, 3).reason is Reason.TOO_FEW
    assert (pearson_interval(1.0, 9).low, pearson_interval(1.0, 9).high) == (1.0, 1.0)
    assert pearson_p(0.5, 2).reason is Reason.TOO_FEW
    assert pearson_p(-1.0, 5).value == 0.0
