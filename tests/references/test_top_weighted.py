import numpy as np
import pytest
from scipy import stats

from tests.references.top_weighted import tau_ap_a, tau_ap_b, tau_gap, weighted_tau
from trackside.statistics.estimate import Reason

# Data and values of the package ircor by J. Urbano, rounded there to four decimals.
SET_1 = (
    [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
    [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1.0],
    [0.8, 0.4, 0.8, 1.0, 0.7, 0.1, 0.4, 0.5, 0.6, 1.0],
)
SET_3 = (
    [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
    [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
    [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1.0, 0.4],
    [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0.0, 0.2],
)


@pytest.mark.parametrize(("given", "plain", "tied"), [(SET_1, 0.8519, 0.7454), (SET_3, -0.6971, -0.5558)])
def test_tau_ap_a_equals_published_values(given: tuple[list[float], ...], plain: float, tied: float) -> None:
    x, y, _, y_tied = given
    assert tau_ap_a(x, y).value == pytest.approx(plain, abs=5e-5)
    assert tau_ap_a(x, y_tied).value == pytest.approx(tied, abs=5e-5)


@pytest.mark.parametrize(("given", "plain", "tied"), [(SET_1, 0.8333, 0.7321), (SET_3, -0.668, -0.7047)])
def test_tau_ap_b_equals_published_values_both_ways(
    given: tuple[list[float], ...], plain: float, tied: float
) -> None:
    x, y, x_tied, y_tied = given
    assert tau_ap_b(x, y).value == pytest.approx(plain, abs=5e-5)
    assert tau_ap_b(x_tied, y_tied).value == pytest.approx(tied, abs=5e-5)
    assert tau_ap_b(y_tied, x_tied) == tau_ap_b(x_tied, y_tied)


def test_tau_ap_a_is_the_mean_over_the_orders_of_tied_estimates() -> None:
    truth = [4.0, 3.0, 2.0, 1.0]
    orders = [[3, 2.1, 2.0, 1], [3, 2.0, 2.1, 1]]
    values = [tau_ap_a(truth, estimate).value for estimate in orders]
    assert tau_ap_a(truth, [3, 2, 2, 1]).value == pytest.approx(np.mean([v for v in values if v is not None]))


def test_tau_ap_weighs_a_swap_at_the_top_more() -> None:
    truth = [5.0, 4.0, 3.0, 2.0, 1.0]
    # One pair swapped: 2/4 (0 + 1 + 1 + 1) - 1 at the top, 2/4 (1 + 1 + 1 + 3/4) - 1 at the bottom.
    assert tau_ap_a(truth, [4, 5, 3, 2, 1]).value == pytest.approx(0.5)
    assert tau_ap_a(truth, [5, 4, 3, 1, 2]).value == pytest.approx(0.875)


def test_tau_ap_is_undefined_where_ties_forbid_it() -> None:
    assert tau_ap_a([1, 1, 2], [1, 2, 3]).reason is Reason.TIES
    assert tau_ap_a([1], [1]).reason is Reason.TOO_FEW
    assert tau_ap_b([1, 1, 1], [1, 2, 3]).reason is Reason.CONSTANT
    assert tau_ap_b([], []).reason is Reason.TOO_FEW


def test_tau_gap_weighs_a_swap_by_what_the_runs_differ_in_truth() -> None:
    # Predicted order 0.5, 0.9, 0.49, 0.48: shares right are 0/0.4, 0.42/0.42, 0.45/0.45.
    assert tau_gap([0.9, 0.5, 0.49, 0.48], [0.5, 0.9, 0.49, 0.48]).value == pytest.approx(2 * 2 / 3 - 1)
    # Swapping the last two instead costs 0.01 of the 0.41 + 0.01 + 0.01 above the last place.
    swapped = tau_gap([0.9, 0.5, 0.49, 0.48], [0.9, 0.5, 0.48, 0.49])
    assert swapped.value == pytest.approx(2 / 3 * (1 + 1 + 0.42 / 0.43) - 1)


def test_tau_gap_skips_places_without_a_gap_and_is_undefined_without_any() -> None:
    # Truth 1, 1, 0 in the predicted order: the second place has no gap above it, the third is right.
    assert tau_gap([1, 1, 0], [3, 2, 1]).value == 1.0
    assert tau_gap([1, 1, 1], [3, 2, 1]).reason is Reason.CONSTANT
    assert tau_gap([1], [1]).reason is Reason.TOO_FEW


def test_weighted_tau_equals_the_values_in_scipys_manual() -> None:
    x, y = [12, 2, 1, 12, 2], [1, 4, 7, 1, 0]
    assert weighted_tau(x, y).value == pytest.approx(-0.56694968153682723)
    assert weighted_tau(x, y, is_additive=False).value == pytest.approx(-0.62205716951801038)
    assert weighted_tau(x, y, weigh_by="x").value == pytest.approx(-0.4157652301037516)


def test_weighted_tau_equals_scipys_with_ties() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(0, 5, 8), rng.integers(0, 5, 8)
        theirs = stats.weightedtau(x, y, rank=False).statistic
        assert weighted_tau(x, y, weigh_by="place").value == pytest.approx(float(theirs))


def test_weighted_tau_is_undefined_for_a_constant() -> None:
    assert weighted_tau([1, 2, 3], [1, 1, 1]).reason is Reason.CONSTANT
    assert weighted_tau([1], [1]).reason is Reason.TOO_FEW
