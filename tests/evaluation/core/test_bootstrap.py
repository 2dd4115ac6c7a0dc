import numpy as np
import pytest

from evaluation.core.bootstrap import (
    difference_p,
    draw_counts,
    percentile_interval,
    run_interval,
    sampled_matrices,
    sampled_means,
    topic_interval,
)
from evaluation.core.correlation import kendall_tau_b_of_rows, pearson_of_rows
from evaluation.core.estimate import Reason


def test_counts_say_how_often_each_topic_is_drawn() -> None:
    counts = draw_counts(7, seed=1, replicates=100)
    assert counts.shape == (100, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert np.array_equal(counts, draw_counts(7, seed=1, replicates=100))


def test_samples_are_sums_over_the_drawn_topics() -> None:
    counts = np.array([[2, 0, 1]])
    values = np.array([[1.0, 5.0, 4.0]])
    assert sampled_means(values, counts).tolist() == [[2.0]]
    matrices = np.array([[[1, 0], [0, 0]], [[0, 9], [0, 0]], [[0, 0], [3, 0]]])
    assert sampled_matrices(matrices, counts).tolist() == [[[2, 0], [3, 0]]]


def test_interval_of_a_mean_has_the_width_of_theory() -> None:
    # Differences of two runs over 100 topics: the interval of their mean is about 1.96 sd / 10 on both sides.
    rng = np.random.default_rng(2)
    x, y = rng.random((1, 100)), np.zeros((1, 100))
    interval = topic_interval(x, y, lambda a, b: (a - b)[:, 0], seed=3, replicates=20_000)
    assert interval.low is not None
    assert interval.high is not None
    half = 1.96 * x.std() / 10
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.03)
    assert (interval.low + interval.high) / 2 == pytest.approx(x.mean(), abs=0.1 * half)


def test_intervals_over_topics_and_runs_hold_the_value_and_depend_on_the_seed_alone() -> None:
    rng = np.random.default_rng(4)
    truth = rng.random((16, 40)) + np.arange(16)[:, None] / 8
    noisy = truth + rng.normal(0, 0.3, truth.shape)
    topics = [topic_interval(truth, noisy, kendall_tau_b_of_rows, seed=9, replicates=500) for _ in range(2)]
    assert topics[0] == topics[1]
    assert topics[0].low is not None
    assert -1 <= topics[0].low < 1
    x, y = truth.mean(axis=1), noisy.mean(axis=1)
    runs = run_interval(x, y, pearson_of_rows, seed=9, replicates=500)
    r = pearson_of_rows(x[None], y[None])[0]
    assert runs.low is not None
    assert runs.high is not None
    assert runs.low < r < runs.high


def test_interval_leaves_out_undefined_samples_and_needs_half_of_them() -> None:
    known = np.linspace(0, 1, 101)
    assert percentile_interval(np.append(known, np.nan), level=0.9).low == pytest.approx(0.05)
    assert percentile_interval(np.append(known, np.full(102, np.nan))).reason is Reason.NO_REPLICATES
    assert percentile_interval(np.array([])).reason is Reason.NO_REPLICATES


def test_p_of_a_difference_is_twice_the_share_on_the_other_side_of_zero() -> None:
    # 3 of 99 samples are at or below zero: 2 x (3 + 1) / (99 + 1).
    samples = np.concatenate([np.full(96, 0.5), [-0.1, 0.0, -0.2]])
    assert difference_p(samples).value == pytest.approx(0.08)
    assert difference_p(np.zeros(10)).value == 1.0
    assert difference_p(np.full(10, np.nan)).reason == Reason.NO_REPLICATES
