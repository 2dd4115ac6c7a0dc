"""A row equals the result of the function for one pair, which oracles test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from evaluation.core.statistics.correlation.coefficients import kendall_tau_b, pearson
from evaluation.core.statistics.correlation.rows import COEFFICIENTS, in_blocks
from tests.references.correlation import spearman
from tests.references.leaderboard import rank_changes
from tests.references.rbo import groups_by_value, rank_biased_overlap
from tests.references.top_weighted import tau_ap_a, tau_ap_b, tau_gap, weighted_tau

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.arrays import Floats


def _named(values: Floats) -> dict[str, float]:
    return {f"r{place}": float(value) for place, value in enumerate(values)}


def _rbo(x: Floats, y: Floats) -> float:
    groups = (groups_by_value(_named(values)) for values in (x, y))
    return rank_biased_overlap(*groups, p=0.9).extrapolated


def _changes(x: Floats, y: Floats, k: int) -> float | None:
    return rank_changes(_named(x), _named(y)).top_overlap(k).value


ONE: dict[str, Callable[[Floats, Floats], float | None]] = {
    "tau": lambda x, y: kendall_tau_b(x, y).value,
    "rho": lambda x, y: spearman(x, y).value,
    "r": lambda x, y: pearson(x, y).value,
    "tau_AP,a": lambda x, y: tau_ap_a(x, y).value,
    "tau_AP,b": lambda x, y: tau_ap_b(x, y).value,
    "tau_GAP": lambda x, y: tau_gap(x, y).value,
    "weighted tau": lambda x, y: weighted_tau(x, y).value,
    "RBO": _rbo,
    "first run": lambda x, y: _changes(x, y, 1),
    "top 5": lambda x, y: _changes(x, y, 5),
    "largest drop": lambda x, y: float(rank_changes(_named(x), _named(y)).largest_drop),
}


def test_every_coefficient_of_rows_is_compared() -> None:
    assert ONE.keys() == COEFFICIENTS.keys()


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("runs", [1, 2, 3, 7])
def test_rows_are_what_one_pair_gives(name: str, runs: int) -> None:
    rng = np.random.default_rng(runs)
    # Few distinct values, so that most rows have ties; the second half has none in x.
    x, y = rng.integers(0, 4, (2, 40, runs)) / 3
    x[20:] = rng.random((20, runs))
    found = COEFFICIENTS[name](x, y)
    expected = [ONE[name](*pair) for pair in zip(x, y, strict=True)]
    assert found == pytest.approx([np.nan if each is None else each for each in expected], nan_ok=True)


def test_blocks_of_rows_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.core.statistics.correlation.rows.BLOCK", 32)
    x, y = np.random.default_rng(1).random((2, 11, 4))
    blocks = in_blocks(COEFFICIENTS["tau"], x, y)
    assert blocks == pytest.approx(COEFFICIENTS["tau"](x, y))
