import numpy as np
import pytest
from scipy import stats

from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.uncertainty.ranks import draw_counts, rank_interval, sampled_means, team_interval


def test_interval_is_t_standard_deviations_of_the_resamples_around_the_coefficient() -> None:
    samples = np.array([0.4, 0.5, 0.6, 0.7])  # only their spread matters, not their percentiles
    half = stats.t.ppf(0.975, 19) * samples.std(ddof=1)
    # The derivative of the arcsine, halfway between 0.72 and the resamples' mean of 0.55.
    step = half / np.sqrt(1 - 0.635**2)
    found = rank_interval(0.72, samples, 20)
    ends = np.sin(np.arcsin(0.72) - step), np.sin(min(np.arcsin(0.72) + step, np.pi / 2))
    assert (found.low, found.high) == pytest.approx(ends)
    assert found.method is IntervalMethod.RESAMPLING


def test_interval_close_to_a_bound_is_not_stretched_over_the_scale() -> None:
    samples = np.array([0.93, 0.95, 0.97])
    found = rank_interval(0.9999, samples, 10)
    assert found.low is not None
    assert 0.9999 - 2.5 * 0.02 < found.low < 0.9999 < (found.high or 0) <= 1


def test_interval_is_cut_at_the_bounds_and_holds_the_coefficient() -> None:
    samples = np.array([0.8, 0.9, 1.0])
    assert rank_interval(1.0, samples, 10).high == 1.0
    assert rank_interval(-1.0, -samples, 10).low == -1.0


def test_undefined_resamples_are_left_out_while_most_are_defined() -> None:
    some, most = np.array([0.1, 0.2, 0.4, np.nan]), np.array([0.1, 0.2, np.nan, np.nan, np.nan])
    known = rank_interval(0.2, some[:3], 10)
    assert rank_interval(0.2, some, 10) == known
    assert rank_interval(0.2, most, 10).reason == Reason.NO_REPLICATES


def test_cases_without_an_interval_have_a_reason() -> None:
    samples = np.linspace(0.5, 0.7, 20)
    assert rank_interval(0.6, samples, 9).reason == Reason.TOO_FEW_TOPICS
    assert rank_interval(0.6, np.empty(0), 10).reason == Reason.NO_REPLICATES
    assert rank_interval(1.0, np.ones(20), 50).reason == Reason.NO_VARIATION


def test_interval_is_t_jackknife_errors_around_tau_and_cut_at_one() -> None:
    left_out = np.array([0.5, 0.55, 0.6, 0.45, 0.5, 0.52, 0.51, 0.53])
    error = np.sqrt(7 / 8 * ((left_out - left_out.mean()) ** 2).sum())
    half = stats.t.ppf(0.975, 7) * error
    found = team_interval(0.52, left_out)
    assert (found.low, found.high) == pytest.approx((0.52 - half, 0.52 + half))
    assert found.method is IntervalMethod.JACKKNIFE
    assert team_interval(0.99, left_out).high == 1.0


@pytest.mark.parametrize(
    ("left_out", "reason"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], Reason.TOO_FEW_TEAMS),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, np.nan], Reason.HANGS_ON_ONE_TEAM),
        ([0.5] * 8, Reason.NO_VARIATION),
    ],
)
def test_tau_over_teams_without_an_interval_have_a_reason(left_out: list[float], reason: Reason) -> None:
    assert team_interval(0.5, np.array(left_out)).reason is reason


def test_counts_are_the_draws_of_each_topic() -> None:
    counts = draw_counts(7, seed=1, replicates=100)
    assert counts.shape == (100, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert np.array_equal(counts, draw_counts.__wrapped__(7, seed=1, replicates=100)), "drawn again"
    assert not np.array_equal(counts, draw_counts(7, seed=2, replicates=100))


def test_sampled_means_are_over_the_drawn_topics() -> None:
    counts = np.array([[2, 0, 1]])
    values = np.array([[1.0, 5.0, 4.0]])
    assert sampled_means(values, counts).tolist() == [[2.0]]
