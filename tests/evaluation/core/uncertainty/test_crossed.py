import numpy as np
import pytest
from scipy import stats

from evaluation.core.arrays import Floats
from evaluation.core.statistics.estimate import Estimand, Estimate, Interval, IntervalMethod, Reason
from evaluation.core.uncertainty import crossed_interval

ONE_RUN = [np.ones(8, dtype=np.int64)]


def test_variances_over_topics_and_teams_are_added_minus_their_common_part() -> None:
    rng = np.random.default_rng(12)
    values = rng.normal(0, 1, (1, 20)) + rng.normal(0, 1, (6, 1)) + rng.normal(0, 0.5, (6, 20))
    topics, teams = values.mean(axis=0), values.mean(axis=1)
    # Of a mean the jackknife variance is the squared standard error.
    of_topics, of_teams = stats.sem(topics) ** 2, stats.sem(teams) ** 2
    # Two-way analysis of variance: the mean square of teams by topics, over the number of cells.
    rest = values - topics - teams[:, None] + values.mean()
    common = (rest**2).sum() / (5 * 19) / values.size
    freedom = (of_topics + of_teams) ** 2 / (of_topics**2 / 19 + of_teams**2 / 5)
    both = np.array([_without_each(row) for row in 6 / 5 * topics - values / 5])
    found = crossed_interval(
        Estimate.of(values.mean()), _without_each(topics), [_without_each(teams)], [both], [np.ones(6, int)]
    )
    half = stats.t.ppf(0.975, freedom) * np.sqrt(of_topics + of_teams - common)
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert (found.method, found.estimand) == (IntervalMethod.CROSSED, Estimand.NEW_TOPICS_AND_TEAMS)


def test_strata_of_teams_add_up_as_in_welchs_test() -> None:
    rng = np.random.default_rng(13)
    one, two = rng.normal(0, 1, 8), rng.normal(0, 3, 12)
    value = one.mean() - two.mean()
    left_out = [_without_each(one) - two.mean(), one.mean() - _without_each(two)]
    both = [np.repeat(each[:, None], 12, axis=1) for each in left_out]  # all topics are alike
    counts = [np.full(8, 2), np.full(12, 3)]
    found = crossed_interval(Estimate.of(value), np.full(12, value), left_out, both, counts)
    expected = stats.ttest_ind(one, two, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(("spread", "is_above"), [(1.0, True), (4.0, False)])
def test_variance_of_teams_less_their_common_part_is_cut_at_zero_once(spread: float, is_above: bool) -> None:
    rng = np.random.default_rng(14)
    # The teams of one side differ in their means, those of the other differ on single topics alone.
    one = rng.normal(0, 1, (8, 12)) + rng.normal(0, 1, (8, 1))
    two = rng.normal(0, spread, (8, 12))
    two -= 0.9 * two.mean(axis=1, keepdims=True)
    topics = one.mean(axis=0) - two.mean(axis=0)
    teams = [stats.sem(each.mean(axis=1)) ** 2 for each in (one, two)]
    common = [_residual_variance(each) for each in (one, two)]
    assert teams[0] > common[0]
    assert teams[1] < common[1]
    of_topics = stats.sem(topics) ** 2
    freedom = (of_topics + sum(teams)) ** 2 / (of_topics**2 / 11 + sum(each**2 / 7 for each in teams))
    half = stats.t.ppf(0.975, freedom) * np.sqrt(of_topics + max(sum(teams) - sum(common), 0))
    assert (sum(teams) > sum(common)) == is_above
    found = _of_sides(one, two)
    assert (found.low, found.high) == pytest.approx((topics.mean() - half, topics.mean() + half))


def test_unequal_numbers_of_runs_lower_the_degrees_of_freedom() -> None:
    rng = np.random.default_rng(15)
    runs, teams = np.array([1, 1, 1, 2, 2, 3, 4, 9]), rng.normal(size=(200_000, 8))
    share = runs / runs.sum()
    left_out = ((teams @ share)[:, None] - share * teams) / (1 - share)
    variances = 7 / 8 * ((left_out - left_out.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    # Of a variance that is chi-square distributed: twice its squared mean, by its variance.
    freedom = 2 * variances.mean() ** 2 / variances.var()
    value, row = float(teams[0] @ share), left_out[0]
    both = np.repeat(row[:, None], 12, axis=1)
    found = crossed_interval(Estimate.of(value), np.full(12, value), [row], [both], [runs])
    half = stats.t.ppf(0.975, freedom) * variances[0] ** 0.5
    assert freedom < 4
    assert found.high is not None
    assert found.high - value == pytest.approx(half, rel=0.02)


def test_cases_without_an_interval_have_a_reason() -> None:
    topics, teams = np.linspace(0, 1, 10), np.linspace(0, 1, 5)
    value = Estimate.of(0.5)

    def reason(value: Estimate, topics: Floats, teams: list[Floats]) -> Reason | None:
        both = [np.add.outer(each, topics) for each in teams]
        counts = [np.ones(each.size, dtype=np.int64) for each in teams]
        return crossed_interval(value, topics, teams, both, counts).reason

    assert reason(value, topics[:9], [teams]) == Reason.TOO_FEW_TOPICS
    assert reason(value, topics, [teams[:4]]) == Reason.TOO_FEW_TEAMS
    side = np.linspace(0, 1, 8)
    assert reason(value, topics, [side, side]) is None
    assert reason(value, topics, [side, side[:7]]) == Reason.TOO_FEW_TEAMS_OF_SIDE
    assert reason(value, np.ones(10), [np.ones(5)]) == Reason.NO_VARIATION
    assert reason(value, np.r_[topics, np.nan], [teams]) == Reason.HANGS_ON_ONE_TOPIC
    assert reason(Estimate.undefined(Reason.EMPTY), topics, [teams]) == Reason.EMPTY
    hole = np.full((5, 10), np.nan)
    assert (
        crossed_interval(value, topics, [teams], [hole], [np.ones(5, int)]).reason
        == Reason.HANGS_ON_ONE_TOPIC
    )


def _residual_variance(values: Floats) -> float:
    """The mean square of teams by topics, over the number of cells."""
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return float((rest**2).sum() / ((len(values) - 1) * (values.shape[1] - 1)) / values.size)


def _of_sides(one: Floats, two: Floats) -> Interval:
    """The interval of the difference of two sides, each [team, topic]."""
    value = one.mean() - two.mean()
    kept = [
        np.array([np.delete(each, team, axis=0).mean(axis=0) for team in range(8)]) for each in (one, two)
    ]
    both = [np.array([_without_each(row) for row in side]) for side in kept]
    other = [_without_each(each.mean(axis=0)) for each in (two, one)]
    return crossed_interval(
        Estimate.of(value),
        _without_each(one.mean(axis=0) - two.mean(axis=0)),
        [kept[0].mean(axis=1) - two.mean(), one.mean() - kept[1].mean(axis=1)],
        [both[0] - other[0], other[1] - both[1]],
        ONE_RUN * 2,
    )


def _without_each(values: Floats) -> Floats:
    means: Floats = (values.sum() - values) / (values.size - 1)
    return means
