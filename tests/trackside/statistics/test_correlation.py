"""Correlations equal scipy's; a row equals the result of the function for one pair, which oracles test."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.references.correlation import kendall_tau_b, pair_counts, pearson, spearman
from tests.references.leaderboard import rank_changes
from tests.references.top_weighted import tau_ap_a
from trackside.arrays import Floats
from trackside.statistics.correlation import (
    Statistic,
    kendall_tau_b_of_rows,
    largest_drop_of_rows,
    pearson_of_rows,
    spearman_of_rows,
    tau_ap_a_of_rows,
    top_overlap,
)
from trackside.statistics.estimate import Reason


def _named(values: Floats) -> dict[str, float]:
    return {f"r{place}": float(value) for place, value in enumerate(values)}


def _changes(x: Floats, y: Floats, k: int) -> float | None:
    return rank_changes(_named(x), _named(y)).top_overlap(k).value


ONE: dict[str, tuple[Statistic, Callable[[Floats, Floats], float | None]]] = {
    "tau": (kendall_tau_b_of_rows, lambda x, y: kendall_tau_b(x, y).value),
    "rho": (spearman_of_rows, lambda x, y: spearman(x, y).value),
    "r": (pearson_of_rows, lambda x, y: pearson(x, y).value),
    "tau_AP": (tau_ap_a_of_rows, lambda x, y: tau_ap_a(x, y).value),
    "first run": (top_overlap(1), lambda x, y: _changes(x, y, 1)),
    "top 5": (top_overlap(5), lambda x, y: _changes(x, y, 5)),
    "largest drop": (
        largest_drop_of_rows,
        lambda x, y: float(rank_changes(_named(x), _named(y)).largest_drop),
    ),
}


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("runs", [1, 2, 3, 7])
def test_rows_are_what_one_pair_gives(name: str, runs: int) -> None:
    rng = np.random.default_rng(runs)
    # Few distinct values, so that most rows have ties; the second half has none in x.
    x, y = rng.integers(0, 4, (2, 40, runs)) / 3
    x[20:] = rng.random((20, runs))
    of_rows, of_pair = ONE[name]
    expected = [of_pair(*pair) for pair in zip(x, y, strict=True)]
    found = of_rows(x, y)
    assert found == pytest.approx([np.nan if each is None else each for each in expected], nan_ok=True)


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
