"""A hand computation, and the promise of the intervals: README prints what the simulation here measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from evaluation.core.prediction_powered import plain_means, powered_means

if TYPE_CHECKING:
    from evaluation.core.arrays import Floats

TOPICS, WORLDS = 74, 2_000


def test_powered_mean_is_the_regression_estimate() -> None:
    # Drawn: model 0, 1, 2, 3 (mean 1.5, spread 5), people 1, 3, 2, 6 (mean 3). Cross products about the
    # means: -1.5 x -2 + -0.5 x 0 + 0.5 x -1 + 1.5 x 3 = 7, weight 7 / 5 = 1.4. The model's mean over all six
    # topics is 3, so the estimate is 3 + 1.4 x (3 - 1.5) = 5.1. Residuals 0.1, 0.7, -1.7, 0.9: squares 4.2,
    # over n - 2 2.1. Variance 2.1 x (1/4 - 1/6 + 2.25 / 5) = 1.12; t with 2 degrees is 4.302653.
    people, model = np.array([[1.0, 3, 2, 6, 0, 0]]), np.array([[0.0, 1, 2, 3, 5, 7]])
    found = powered_means(people, model, np.arange(4))
    assert found.estimate[0] == pytest.approx(5.1)
    assert found.high[0] - found.estimate[0] == pytest.approx(4.302653 * 1.12**0.5, rel=1e-6)


def test_all_topics_leave_no_doubt() -> None:
    people, model = np.random.default_rng(1).random((2, 3, 8))
    found = powered_means(people, model, np.arange(8))
    assert found.estimate == pytest.approx(people.mean(axis=1))
    assert found.high - found.low == pytest.approx(np.zeros(3), abs=1e-7)


def test_a_constant_model_adds_nothing() -> None:
    people = np.random.default_rng(1).random((2, 9))
    found = powered_means(people, np.full((2, 9), 0.3), np.arange(5))
    assert found.estimate == pytest.approx(people[:, :5].mean(axis=1))


def test_three_topics_are_too_few_for_an_interval() -> None:
    people, model = np.random.default_rng(1).random((2, 2, 9))
    assert np.isnan(powered_means(people, model, np.arange(3)).low).all()
    assert np.isnan(plain_means(people, np.arange(3)).low).all()


def _judge(kind: str, people: Floats, rng: np.random.Generator) -> Floats:
    match kind:
        case "null":  # knows nothing
            return rng.beta(1.2, 1.6, people.shape)
        case "biased":  # too kind, and flattens differences
            return np.clip(0.35 + 0.5 * people + rng.normal(0, 0.12, people.shape), 0, 1)
        case _:
            return np.clip(people + rng.normal(0, 0.08, people.shape), 0, 1)


@pytest.mark.parametrize("kind", ["null", "biased", "good"])
@pytest.mark.parametrize("n", [10, 20, 40])
def test_intervals_cover_as_often_as_they_say(kind: str, n: int) -> None:
    # The standard error of a coverage of 95 % over 2,000 worlds is 0.5 points.
    rng = np.random.default_rng(n)
    people = rng.beta(1.2, 1.6, (WORLDS, TOPICS))  # values of a run, as spread out as nDCG@10
    model = _judge(kind, people, rng)
    order = rng.random((WORLDS, TOPICS)).argsort(axis=1)
    # Topics of each world in a random order, so that the first n are a random choice.
    people, model = (np.take_along_axis(values, order, axis=1) for values in (people, model))
    found = powered_means(people, model, np.arange(n))
    covered = (found.low <= people.mean(axis=1)) & (people.mean(axis=1) <= found.high)
    assert 0.93 <= covered.mean() <= 0.97
    alone = plain_means(people, np.arange(n))
    gain = (found.high - found.low).mean() / (alone.high - alone.low).mean()
    assert gain < (1.15 if kind == "null" else 0.85)
