"""Counts by sets of bits equal those of a loop over all pairs of runs."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.core.statistics.correlation.overlaps import Overlaps
from evaluation.core.statistics.ranks import Places


@pytest.mark.parametrize("runs", [1, 2, 63, 64, 65, 130])
@pytest.mark.parametrize("levels", [3, 1000])
def test_counts_equal_those_of_a_loop(runs: int, levels: int) -> None:
    one, other = np.random.default_rng(runs).integers(0, levels, (2, 3, runs)).astype(np.float64)
    overlaps = Overlaps.of(Places.of(one), Places.of(other))
    left, right = (np.sign(each[:, :, None] - each[:, None, :]) for each in (one, other))
    assert overlaps.lower_in_both().tolist() == ((left > 0) & (right > 0)).sum(axis=2).tolist()
    assert overlaps.lower_in_one().tolist() == ((left > 0) & (right < 0)).sum(axis=2).tolist()


def test_places_count_the_values_below() -> None:
    places = Places.of([[0.3, 0.1, 0.3, 0.3 + 1e-10, 0.7]])
    assert places.before.tolist() == [[1, 0, 1, 1, 4]]
    assert places.through.tolist() == [[4, 1, 4, 4, 5]]
    assert places.order.tolist() == [[1, 0, 2, 3, 4]]
    assert places.has_ties.tolist() == [True]
    assert places.is_varied.tolist() == [True]
    assert not Places.of([[1.0, 1.0]]).is_varied.any()
