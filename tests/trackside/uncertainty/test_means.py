import numpy as np
import pytest
from scipy import stats

from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.uncertainty.means import mean_intervals


def _hall_by_bisection(values: np.ndarray, q: float) -> float:
    """The t whose transform g(t) = t + k t^2 / 3 + k^2 t^3 / 27 + k / 6 is q, k the skewness over sqrt(n)."""
    k = stats.skew(values, bias=False) / np.sqrt(values.size)
    low, high = -1e3, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        value = middle + k * middle**2 / 3 + k**2 * middle**3 / 27 + k / 6
        low, high = (middle, high) if value < q else (low, middle)
    return (low + high) / 2


def test_mean_interval_inverts_halls_transformation() -> None:
    values = np.random.default_rng(1).beta(0.5, 3, (4, 17))
    ends = mean_intervals(values)
    q = stats.t.ppf(0.975, 16)
    for row, interval in zip(values, ends.intervals, strict=True):
        error = stats.sem(row)
        assert interval.low == pytest.approx(row.mean() - _hall_by_bisection(row, q) * error)
        assert interval.high == pytest.approx(row.mean() - _hall_by_bisection(row, -q) * error)
        assert interval.method is IntervalMethod.HALL


def test_mean_interval_of_symmetric_values_is_students() -> None:
    values = np.arange(11.0)
    found = mean_intervals(values[None]).interval(0)
    expected = stats.t.interval(0.95, 10, 5.0, stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected)


def test_mean_interval_holds_its_mean_and_leans_to_the_long_tail() -> None:
    values = np.random.default_rng(2).beta(0.3, 6, (500, 10))
    ends = mean_intervals(values)
    mean = values.mean(axis=1)
    assert ((ends.low < mean) & (mean < ends.high)).all()
    skewed = stats.skew(values, axis=1) > 0.5
    assert (ends.high - mean > mean - ends.low)[skewed].all()


def test_bounds_cut_the_ends() -> None:
    values = np.array([[0.01] * 7 + [0.2, 1.0, 0.9]])
    plain, cut = mean_intervals(values), mean_intervals(values, bounds=(0.0, 1.0))
    assert plain.high[0] > 1
    assert (cut.low[0], cut.high[0]) == (plain.low[0], 1.0)
    assert cut.methods == (IntervalMethod.HALL,)


def test_mean_of_zeros_and_ones_has_wilsons_interval() -> None:
    values = np.array([[0.0] * 12 + [1.0] * 13, [1.0] * 4 + [0.0] * 21])
    found = mean_intervals(values, bounds=(0.0, 1.0)).intervals
    for ones, interval in zip((13, 4), found, strict=True):
        expected = stats.binomtest(ones, 25).proportion_ci(method="wilson")
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
        assert interval.method == IntervalMethod.TWO_PART


def test_mean_of_zeros_and_ones_has_no_interval_below_25_topics() -> None:
    """With ten topics Wilson's intervals of 3 to 7 ones all hold a mean of 0.6: coverage would be 100 %."""
    ones = [stats.binomtest(count, 10).proportion_ci(method="wilson") for count in range(3, 8)]
    assert all(each.low < 0.6 < each.high for each in ones)
    values = np.array([[0.0] * 12 + [1.0] * 12, [0.0] * 12 + [1.0] * 11 + [0.5], [1.0] * 22 + [0.5, np.nan]])
    reasons = mean_intervals(values, bounds=(0.0, 1.0)).reasons
    assert reasons == (Reason.TOO_FEW_TOPICS_OF_BOUNDS, None, Reason.TOO_FEW_DIFFERING)
    assert mean_intervals(values).reasons[0] is None  # without bounds the values may be any


def test_share_beyond_zero_and_mean_of_these_topics_are_joined_on_the_logarithm() -> None:
    beyond = np.random.default_rng(5).random(12)
    found = mean_intervals(np.r_[beyond, np.zeros(18)][None], bounds=(0.0, 1.0)).interval(0)
    share = stats.binomtest(12, 30).proportion_ci(method="wilson")
    mean = mean_intervals(beyond[None]).interval(0)
    value = 0.4 * beyond.mean()
    assert mean.low is not None
    assert mean.high is not None
    below = np.hypot(np.log(0.4 / share.low), np.log(beyond.mean() / mean.low))
    above = np.hypot(np.log(share.high / 0.4), np.log(mean.high / beyond.mean()))
    assert (found.low, found.high) == pytest.approx((value * np.exp(-below), value * np.exp(above)))


def test_many_topics_at_the_largest_value_mirror_as_many_at_the_least() -> None:
    values = np.where(np.arange(25) < 15, 0.0, np.random.default_rng(6).random((3, 25)))
    at_zero = mean_intervals(values, bounds=(0.0, 1.0))
    at_one = mean_intervals(1 - values, bounds=(0.0, 1.0))
    assert at_one.low == pytest.approx(1 - at_zero.high)
    assert at_one.high == pytest.approx(1 - at_zero.low)
    assert ((at_zero.low < values.mean(axis=1)) & (values.mean(axis=1) < at_zero.high)).all()


def test_few_topics_beyond_zero_whose_mean_may_be_zero_reach_to_zero() -> None:
    values = np.array([[0.0] * 7 + [0.01, 0.02, 1.0]])
    assert mean_intervals(values, bounds=(0.0, 1.0)).low[0] == 0.0


def test_topics_without_a_value_are_left_out() -> None:
    values = np.random.default_rng(3).random((1, 12))
    with_gaps = np.concatenate([values[:, :6], [[np.nan] * 4], values[:, 6:]], axis=1)
    assert mean_intervals(with_gaps).interval(0) == mean_intervals(values).interval(0)
    assert mean_intervals(np.full((1, 12), np.nan)).reasons == (Reason.TOO_FEW_TOPICS,)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], Reason.TOO_FEW_TOPICS),
        ([0.5], Reason.TOO_FEW_TOPICS),
        ([0.5] * 10, Reason.NO_VARIATION),
        ([0.0] * 20 + [0.5, 1.0], Reason.TOO_FEW_DIFFERING),
        ([0.0] * 20 + [0.5, 0.5, 1.0], None),
    ],
)
def test_rows_that_cannot_be_covered_have_no_interval(values: list[float], reason: Reason | None) -> None:
    interval = mean_intervals(np.array([values])).interval(0)
    assert interval.reason == reason
    assert (interval.low is None) == (reason is not None)


def test_no_topics_at_all_give_a_reason() -> None:
    assert mean_intervals(np.empty((2, 0))).reasons == (Reason.TOO_FEW_TOPICS,) * 2


def test_each_row_needs_three_values_that_differ_from_its_own_most_common_one() -> None:
    varied = np.arange(12.0) / 12
    few, enough = np.zeros(12), np.zeros(12)
    few[:2], enough[:3] = (0.1, 0.2), (0.1, 0.2, 0.3)
    reasons = [
        each.reason for each in mean_intervals(np.array([varied, few, enough, np.zeros(12)])).intervals
    ]
    assert reasons == [None, Reason.TOO_FEW_DIFFERING, None, Reason.NO_VARIATION]


def test_topics_without_a_value_are_not_counted_as_equal() -> None:
    row = np.concatenate((np.arange(10.0), [np.nan] * 8))
    assert mean_intervals(row[None]).interval(0).reason is None
    assert mean_intervals(row[None, 1:]).interval(0).reason is Reason.TOO_FEW_TOPICS
