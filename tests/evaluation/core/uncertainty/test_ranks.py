import numpy as np
import pytest
from scipy import stats

from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows, pearson_of_rows
from evaluation.core.statistics.estimate import Estimand, Estimate, IntervalMethod, Reason
from evaluation.core.uncertainty import (
    noise_ceiling,
    rank_difference,
    rank_interval,
    why_no_difference,
    why_no_interval,
)


def test_interval_is_t_standard_deviations_of_the_resamples_around_the_coefficient() -> None:
    samples = np.array([0.4, 0.5, 0.6, 0.7])  # only their spread matters, not their percentiles
    half = stats.t.ppf(0.975, 19) * samples.std(ddof=1)
    found = rank_interval(Estimate.of(0.72), samples, 20, bounds=None)
    assert (found.low, found.high) == pytest.approx((0.72 - half, 0.72 + half))
    assert (found.method, found.estimand) == (IntervalMethod.RESAMPLING, Estimand.AS_MANY_OTHER_TOPICS)
    # The derivative of the arcsine, halfway between 0.72 and the resamples' mean of 0.55.
    step = half / np.sqrt(1 - 0.635**2)
    bounded = rank_interval(Estimate.of(0.72), samples, 20)
    ends = np.sin(np.arcsin(0.72) - step), np.sin(min(np.arcsin(0.72) + step, np.pi / 2))
    assert (bounded.low, bounded.high) == pytest.approx(ends)
    # From 0 to 1, everything is half as large: 0.86 is where 0.72 is.
    halved = rank_interval(Estimate.of(0.86), (1 + samples) / 2, 20, bounds=(0.0, 1.0))
    assert (halved.low, halved.high) == pytest.approx(((1 + ends[0]) / 2, (1 + ends[1]) / 2))


def test_interval_close_to_a_bound_is_not_stretched_over_the_scale() -> None:
    samples = np.array([0.93, 0.95, 0.97])
    found = rank_interval(Estimate.of(0.9999), samples, 10)
    assert found.low is not None
    assert 0.9999 - 2.5 * 0.02 < found.low < 0.9999 < (found.high or 0) <= 1


def test_interval_is_cut_at_the_bounds_and_holds_the_coefficient() -> None:
    samples = np.array([0.8, 0.9, 1.0])
    assert rank_interval(Estimate.of(1.0), samples, 10).high == 1.0
    assert rank_interval(Estimate.of(0.02), samples, 10, bounds=(0.0, 1.0)).low == 0.0


def test_undefined_resamples_are_left_out_while_most_are_defined() -> None:
    some, most = np.array([0.1, 0.2, 0.4, np.nan]), np.array([0.1, 0.2, np.nan, np.nan, np.nan])
    known = rank_interval(Estimate.of(0.2), some[:3], 10)
    assert rank_interval(Estimate.of(0.2), some, 10) == known
    assert rank_interval(Estimate.of(0.2), most, 10).reason == Reason.NO_REPLICATES


def test_cases_without_an_interval_have_a_reason() -> None:
    samples = np.linspace(0.5, 0.7, 20)
    assert rank_interval(Estimate.of(0.6), samples, 9).reason == Reason.TOO_FEW_TOPICS
    assert rank_interval(Estimate.of(0.6), np.empty(0), 10).reason == Reason.NO_REPLICATES
    assert rank_interval(Estimate.of(1.0), np.ones(20), 50).reason == Reason.NO_VARIATION
    assert rank_interval(Estimate.undefined(Reason.CONSTANT), samples, 50).reason == Reason.CONSTANT


def test_interval_of_a_difference_is_t_standard_deviations_of_its_resamples_and_may_pass_one() -> None:
    samples = np.random.default_rng(8).normal(0.1, 0.05, 400)
    found = rank_difference(Estimate.of(0.1), samples, 30)
    half = stats.t.ppf(0.975, 29) * samples.std(ddof=1)
    assert (found.low, found.high) == pytest.approx((0.1 - half, 0.1 + half))
    assert rank_difference(Estimate.of(0.1), samples, 5).reason == Reason.TOO_FEW_TOPICS
    wide = rank_difference(Estimate.of(1.5), samples * 10, 30)
    assert wide.high is not None
    assert wide.high > 2  # a difference of two coefficients is not bounded by one


def test_intervals_that_simulations_found_too_wide_are_withheld() -> None:
    """docs/simulations.md: rho covers up to 99 % near 1, RBO and its like do so at ten topics."""
    assert why_no_interval("rho", 100) is Reason.NOT_COVERED
    for name in ("tau_GAP", "weighted tau", "RBO"):
        assert why_no_interval(name, 24) is Reason.TOO_FEW_TOPICS_FOR_ORDER
        assert why_no_interval(name, 25) is None
        assert why_no_interval(name, 9) is None  # the interval itself has the reason: fewer than ten topics
    assert [why_no_interval(name, 10) for name in ("tau", "r", "tau_AP,b")] == [None] * 3
    assert why_no_interval("top 5", 100) is Reason.DISCRETE
    assert why_no_difference("tau", 25) is None
    assert why_no_difference("tau", 24) is Reason.TOO_FEW_TOPICS_FOR_ORDER
    assert why_no_difference("r", 100) is Reason.NOT_SIMULATED


def test_noise_ceiling_of_runs_that_never_change_places_is_one() -> None:
    values = np.arange(5.0)[:, None] + np.random.default_rng(9).random((5, 20)) / 10
    found = noise_ceiling(values, kendall_tau_b_of_rows, seed=1)
    assert found.halves.value == 1.0
    assert found.all_topics.value == pytest.approx(1.0)


def test_noise_ceiling_steps_halves_up() -> None:
    values = np.random.default_rng(10).random((6, 20)) + np.linspace(0, 0.2, 6)[:, None]
    tau = noise_ceiling(values, kendall_tau_b_of_rows, seed=1)
    r = noise_ceiling(values, pearson_of_rows, seed=1, is_tau=False)
    assert tau.halves.value is not None
    assert r.halves.value is not None
    # Spearman and Brown for two halves: 2 r / (1 + r); tau by r = sin(pi tau / 2).
    assert r.all_topics.value == pytest.approx(2 * r.halves.value / (1 + r.halves.value))
    normal = np.sin(np.pi / 2 * tau.halves.value)
    assert tau.all_topics.value == pytest.approx(2 / np.pi * np.arcsin(2 * normal / (1 + normal)))


def test_noise_ceiling_splits_an_odd_number_of_topics_into_equal_halves() -> None:
    values = np.random.default_rng(11).random((6, 11)) + np.linspace(0, 1, 6)[:, None]
    sizes = []

    def record(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        sizes.append((x.shape, y.shape))
        return pearson_of_rows(x, y)

    found = noise_ceiling(values, record, seed=1, is_tau=False, draws=50)
    assert sizes == [((50, 6), (50, 6))]
    # Eleven topics are 2.2 halves of five.
    r = found.halves.value
    assert r is not None
    assert found.all_topics.value == pytest.approx(2.2 * r / (1 + 1.2 * r))


def test_noise_ceiling_needs_ten_topics_and_runs_that_differ() -> None:
    assert noise_ceiling(np.ones((4, 9)), kendall_tau_b_of_rows, seed=1).all_topics.reason == (
        Reason.TOO_FEW_TOPICS
    )
    assert noise_ceiling(np.ones((4, 10)), kendall_tau_b_of_rows, seed=1).halves.reason == (
        Reason.NO_REPLICATES
    )
