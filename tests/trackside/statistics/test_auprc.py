"""AUPRC by loops over thresholds, and its mean over all orders."""

from itertools import permutations

import numpy as np
import pytest

from trackside.statistics.auprc import auprc_by_chance, auprc_without_each
from trackside.statistics.estimate import Reason


def by_thresholds(relevant: list[int], scores: list[float]) -> float:
    """Sum over thresholds of the gain of recall times the precision, as scikit-learn defines it."""
    area = before = 0.0
    for threshold in sorted(set(scores), reverse=True):
        found = [grade for grade, score in zip(relevant, scores, strict=True) if score >= threshold]
        recall = sum(found) / sum(relevant)
        area, before = area + (recall - before) * sum(found) / len(found), recall
    return area


@pytest.mark.parametrize("seed", range(5))
def test_area_is_that_of_the_thresholds(seed: int) -> None:
    draw = np.random.default_rng(seed)
    relevant, scores = draw.integers(0, 2, 40), draw.integers(0, 12, 40) / 7
    value = auprc_without_each(relevant, scores, np.arange(40))[0].value
    assert value == pytest.approx(by_thresholds(relevant.tolist(), scores.tolist()))
    assert auprc_without_each([0, 0], [0.1, 0.2], np.arange(2))[0].reason is Reason.NO_RELEVANT


def test_each_topic_is_left_out() -> None:
    draw = np.random.default_rng(1)
    topics, relevant, scores = draw.integers(0, 4, 30), draw.integers(0, 2, 30), draw.random(30)
    _, left_out = auprc_without_each(relevant, scores, topics)
    rest = [topics != topic for topic in range(4)]
    expected = [by_thresholds(relevant[kept].tolist(), scores[kept].tolist()) for kept in rest]
    np.testing.assert_allclose(left_out, expected)
    assert np.isnan(auprc_without_each([1, 0], [0.1, 0.2], np.array([0, 1]))[1]).tolist() == [True, False]


@pytest.mark.parametrize("scores", [[3, 2, 1, 0, 5], [1, 1, 1, 0, 0], [2, 2, 2, 2, 2]])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_chance_is_the_mean_over_all_orders(scores: list[float], count: int) -> None:
    orders = permutations([1] * count + [0] * (5 - count))
    areas = [by_thresholds(list(order), scores) for order in orders]
    assert auprc_by_chance(count, scores) == pytest.approx(np.mean(areas))
