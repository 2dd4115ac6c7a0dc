"""Ways to score and to combine."""

import numpy as np
import pytest

from evaluation.running.demo.steps.retrieval import reciprocal_rank_fusion, reranked, weighted_sum

NONE = -np.inf


def test_reciprocal_rank_fusion_adds_the_ranks_of_those_that_found_it() -> None:
    """First ranks b, a; second ranks a alone: a has 1/62 + 1/61, b 1/61, c nothing."""
    fused = reciprocal_rank_fusion(np.array([[1.0, 2.0, NONE]]), np.array([[5.0, NONE, NONE]]))
    assert fused[0, :2] == pytest.approx([1 / 62 + 1 / 61, 1 / 61])
    assert fused[0, 2] == NONE


def test_weighted_sum_stretches_each_topic_first() -> None:
    """10, 20, 30 become 0, .5, 1; nothing found counts 0: .25 x (0, .5, 1) + .75 x (0, 1, 0)."""
    total = weighted_sum(np.array([[10.0, 20.0, 30.0]]), np.array([[1.0, 3.0, NONE]]), weight=0.25)
    assert total[0] == pytest.approx([0, 0.875, 0.25])


def test_weighted_sum_takes_equal_scores_and_empty_topics_as_nothing() -> None:
    total = weighted_sum(np.array([[2.0, 2.0]]), np.array([[NONE, NONE]]), weight=0.5)
    assert total.tolist() == [[0, 0]]


def test_reranked_keeps_the_first_ones_best_in_the_second_ones_order() -> None:
    first, second = np.array([[3.0, 2.0, 1.0, NONE]]), np.array([[0.1, 0.2, 0.9, 0.8]])
    assert reranked(first, second, depth=2).tolist() == [[0.1, 0.2, NONE, NONE]]
    assert reranked(first, second, depth=4).tolist() == [[0.1, 0.2, 0.9, NONE]]
