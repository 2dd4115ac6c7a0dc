import numpy as np
import pytest

from trackside.statistics.reliability import chances_of_other_topics, reliability


def test_reliability_of_four_predictions() -> None:
    # Tenths 2 and 8: predicted .2 and .2, of which one came true; .8 and .8, both true. Weights 1, 1, 2, 2.
    chance, reached = np.array([0.2, 0.2, 0.8, 0.8]), np.array([0.0, 1.0, 1.0, 1.0])
    weights, topic = np.array([1.0, 1.0, 2.0, 2.0]), np.array([0, 1, 0, 1])
    found = reliability(chance, reached, weights, topic, np.random.default_rng(0))
    assert [(row.count, row.observed[0]) for row in found.bins] == [(2, 0.5), (2, 1.0)]
    assert [row.predicted for row in found.bins] == pytest.approx([0.2, 0.8])
    assert found.ece[0] == pytest.approx((2 * 0.3 + 4 * 0.2) / 6)
    assert found.brier[0] == pytest.approx((0.2**2 + 0.8**2 + 4 * 0.2**2) / 6)
    assert found.brier[1] <= found.brier[0] <= found.brier[2]


def test_intervals_hold_the_brier_score_of_calibrated_chances() -> None:
    # Chances from 0 to 1, kept: the expected Brier score is the mean of p (1 - p), 1/6, and the ECE is 0.
    rng, held = np.random.default_rng(2), 0
    for _ in range(60):
        chance, topic = rng.random(800), rng.integers(40, size=800)
        reached = (rng.random(800) < chance).astype(float)
        found = reliability(chance, reached, np.ones(800), topic, rng)
        held += found.brier[1] <= 1 / 6 <= found.brier[2]
    assert held >= 52  # 57 expected, standard deviation 1.7


def test_chances_are_fitted_to_other_topics() -> None:
    # Of each topic only the other one counts. Topic 0 learns from topic 1: of score 1 none, of 3 all is true,
    # so half-way it is 1/2; beyond the known scores the chance stays.
    scores, topic = np.array([0.0, 2.0, 9.0, 1.0, 3.0]), np.array([0, 0, 0, 1, 1])
    reached = np.array([1.0, 0.0, 1.0, 0.0, 1.0])
    # Topic 1 learns 1, 0, 1 at 0, 2 and 9: a rising fit pools the first two to 1/2; at 3 it is 1/2 + 1/14.
    expected = [0.0, 0.5, 1.0, 0.5, 0.5 + 1 / 14]
    assert chances_of_other_topics(scores, reached, topic) == pytest.approx(expected)
