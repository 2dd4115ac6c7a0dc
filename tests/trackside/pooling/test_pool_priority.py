import pytest

from trackside.pooling.recipes import borda_mnz_order, budget_pool, rank_biased_order, reciprocal_rank_order

RUNS = {"r1": ["a", "b", "c"], "r2": ["b", "d"]}


def test_reciprocal_ranks_by_hand() -> None:
    order = reciprocal_rank_order(RUNS)
    assert [docno for docno, _ in order] == ["b", "a", "d", "c"]
    assert dict(order) == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "d": 1 / 62})


def test_rank_biased_weights_by_hand() -> None:
    order = rank_biased_order(RUNS, p=0.5)
    assert order == [("b", 0.75), ("a", 0.5), ("d", 0.25), ("c", 0.125)]


def test_mnz_by_hand() -> None:
    # r1 gives 1, 1/2, 0 and r2 1, 0; b is in two runs: 2 (1/2 + 1).
    assert borda_mnz_order(RUNS) == [("b", 3.0), ("a", 1.0), ("c", 0.0), ("d", 0.0)]


def test_equal_priorities_are_ordered_by_docno_whatever_the_order_of_the_runs() -> None:
    runs = {"r1": ["x", "y"], "r2": ["y", "x"]}
    backwards = dict(reversed(runs.items()))
    assert [docno for docno, _ in reciprocal_rank_order(runs)] == ["x", "y"]
    assert reciprocal_rank_order(backwards) == reciprocal_rank_order(runs)


def test_a_budget_takes_the_first_and_hides_their_order() -> None:
    assert budget_pool(reciprocal_rank_order(RUNS), 3) == ("a", "b", "d")
