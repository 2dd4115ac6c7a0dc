import numpy as np
import pytest

from trackside.statistics.sampling import capped_chances, hajek_covariance, pareto_sample


def test_chances_are_proportional_and_at_most_one() -> None:
    # 10 of 10 would be 2 * 8 / 10 > 1: the third is certain, the others share one pair.
    assert capped_chances(np.array([1.0, 1.0, 8.0]), 2).tolist() == [0.5, 0.5, 1.0]
    assert capped_chances(np.array([3.0, 1.0, 0.0]), 1).tolist() == [0.75, 0.25, 0.0]


def test_pareto_samples_have_their_size_and_chances() -> None:
    rng = np.random.default_rng(1)
    chance = np.array([1.0, 0.8, 0.5, 0.4, 0.2, 0.1, 0.0])
    draws = [pareto_sample(chance, 3, rng) for _ in range(4000)]
    assert {len(set(draw.tolist())) for draw in draws} == {3}
    shares = np.bincount(np.concatenate(draws), minlength=7) / 4000
    # Four standard errors of a share are .03; Pareto sampling's chances are exact to .01 in so small a set.
    assert shares == pytest.approx(chance, abs=0.04)
    assert shares[[0, 6]].tolist() == [1.0, 0.0]


def test_hajek_covariance_is_that_of_simple_random_sampling_if_chances_are_equal() -> None:
    # 4 of 8: N^2 (1 - f) s^2 / n = 64 * .5 * (14 / 3) / 4 for the values 1, 2, 3, 6 with mean 3.
    values = np.array([[1.0, -1.0], [2.0, -2.0], [3.0, -3.0], [6.0, -6.0]])
    covariance = hajek_covariance(values / 0.5, np.full(4, 0.5))
    assert covariance == pytest.approx(64 * 0.5 * 14 / 3 / 4 * np.array([[1, -1], [-1, 1]]))


def test_certain_units_have_no_variance() -> None:
    assert hajek_covariance(np.ones((3, 1)), np.ones(3)).tolist() == [[0.0]]
