"""A row equals the result of the function for one pair, which oracles test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from evaluation.core.statistics.correlation.coefficients import (
    kendall_tau_b_of_rows,
    pearson_of_rows,
)
from evaluation.core.statistics.correlation.rows import (
    in_blocks,
    largest_drop_of_rows,
    spearman_of_rows,
    tau_ap_a_of_rows,
    top_overlap,
)
from tests.references.correlation import kendall_tau_b, pearson, spearman
from tests.references.leaderboard import rank_changes
from tests.references.top_weighted import tau_ap_a

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.arrays import Floats
    from evaluation.core.statistics.correlation.rows import Statistic


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


def test_blocks_of_rows_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.core.statistics.correlation.rows.BLOCK", 32)
    x, y = np.random.default_rng(1).random((2, 11, 4))
    blocks = in_blocks(kendall_tau_b_of_rows, x, y)
    assert blocks == pytest.approx(kendall_tau_b_of_rows(x, y))
