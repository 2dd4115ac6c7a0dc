"""Correlations equal scipy's, published values, and plain loops over the runs."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, permutations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

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


def _scipys(statistic: Callable[..., Any]) -> Callable[[Floats, Floats], float]:
    def of_pair(x: Floats, y: Floats) -> float:
        is_varied = x.size > 1 and np.ptp(x) and np.ptp(y)
        return float(statistic(x, y).statistic) if is_varied else np.nan

    return of_pair


def _tau_ap(truth: Floats, estimate: Floats) -> float:
    """By its definition: the mean over all orders in which the estimate may put tied runs."""
    if len(truth) < 2 or len(set(truth)) < len(truth):
        return np.nan
    groups = [np.flatnonzero(estimate == value).tolist() for value in sorted(set(estimate), reverse=True)]
    orders = [list(chain(*parts)) for parts in product(*map(permutations, groups))]
    shares = [
        sum(truth[other] > truth[order[place]] for other in order[:place]) / place
        for order in orders
        for place in range(1, len(order))
    ]
    return float(2 * np.mean(shares) - 1)


def _ranked(values: Floats) -> list[int]:
    return sorted(range(len(values)), key=lambda run: -values[run])


def _shared_top(x: Floats, y: Floats, k: int) -> float:
    return len({*_ranked(x)[:k]} & {*_ranked(y)[:k]}) / min(k, len(x))


def _largest_drop(x: Floats, y: Floats) -> float:
    return float(max(_ranked(y).index(run) - place for place, run in enumerate(_ranked(x))))


ONE: dict[str, tuple[Statistic, Callable[[Floats, Floats], float]]] = {
    "tau": (kendall_tau_b_of_rows, _scipys(stats.kendalltau)),
    "rho": (spearman_of_rows, _scipys(stats.spearmanr)),
    "r": (pearson_of_rows, _scipys(stats.pearsonr)),
    "tau_AP": (tau_ap_a_of_rows, _tau_ap),
    "first run": (top_overlap(1), partial(_shared_top, k=1)),
    "top 5": (top_overlap(5), partial(_shared_top, k=5)),
    "largest drop": (largest_drop_of_rows, _largest_drop),
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
    assert of_rows(x, y) == pytest.approx(expected, nan_ok=True)


def _one(statistic: Statistic, x: Sequence[float], y: Sequence[float]) -> float:
    return float(statistic(np.array([x], dtype=float), np.array([y], dtype=float))[0])


def test_kendall_tau_b_divides_by_the_untied_pairs_of_each_side() -> None:
    # x has 5 untied pairs of 6, y has 6; concordant 5, discordant 0: 5 / sqrt(30).
    assert _one(kendall_tau_b_of_rows, [1, 1, 2, 3], [1, 2, 3, 4]) == pytest.approx(5 / 30**0.5)


def test_kendall_ties_means_that_differ_by_rounding_alone() -> None:
    x, y = [0.1 + 0.2, 0.3, 0.5], [1.0, 1.0, 2.0]
    assert _one(kendall_tau_b_of_rows, x, y) == pytest.approx(1.0)
    assert _one(partial(kendall_tau_b_of_rows, tie=0.0), x, y) == pytest.approx(2 / 6**0.5)


@pytest.mark.parametrize("name", ["tau", "rho", "r", "top 5"])
def test_correlations_are_undefined_without_runs(name: str) -> None:
    assert np.isnan(_one(ONE[name][0], [], []))


# Data and values of the package ircor by J. Urbano, rounded there to four decimals.
SET_1 = (
    [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
    [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    [0.8, 0.4, 0.8, 1.0, 0.7, 0.1, 0.4, 0.5, 0.6, 1.0],
)
SET_3 = (
    [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
    [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
    [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0.0, 0.2],
)


@pytest.mark.parametrize(("given", "plain", "tied"), [(SET_1, 0.8519, 0.7454), (SET_3, -0.6971, -0.5558)])
def test_tau_ap_a_equals_published_values(given: tuple[list[float], ...], plain: float, tied: float) -> None:
    x, y, y_tied = given
    assert _one(tau_ap_a_of_rows, x, y) == pytest.approx(plain, abs=5e-5)
    assert _one(tau_ap_a_of_rows, x, y_tied) == pytest.approx(tied, abs=5e-5)
