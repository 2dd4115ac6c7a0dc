import numpy as np
from scipy import stats

from trackside.statistics.ranks import mid_ranks, run_ranks


def test_mid_ranks_share_the_mean_of_tied_places() -> None:
    assert mid_ranks([0.2, 0.1, 0.2, 0.5]).tolist() == [2.5, 1.0, 2.5, 4.0]
    assert mid_ranks([]).tolist() == []


def test_mid_ranks_tie_means_that_differ_by_rounding_alone() -> None:
    assert mid_ranks([0.1 + 0.2, 0.3]).tolist() == [1.5, 1.5]
    assert mid_ranks([0.1 + 0.2, 0.3], tie=0.0).tolist() == [2.0, 1.0]
    assert mid_ranks([0.3, 0.3], tie=0.0).tolist() == [1.5, 1.5]


def test_mid_ranks_keep_apart_what_differs_by_more_than_a_tie() -> None:
    assert mid_ranks([0.3, 0.3 + 2e-9]).tolist() == [1.0, 2.0]


def test_mid_ranks_of_rows_equal_scipys() -> None:
    rows = np.random.default_rng(3).integers(0, 5, size=(50, 9)) / 10
    assert np.array_equal(mid_ranks(rows), stats.rankdata(rows, axis=1))


def test_runs_are_ranked_from_the_best_and_ties_by_tag() -> None:
    assert run_ranks({"z": 0.3, "b": 0.1 + 0.2, "a": 0.1}) == {"b": 1, "z": 2, "a": 3}
