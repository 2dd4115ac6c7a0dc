import numpy as np
import pytest
from scipy import stats

from evaluation.core.arrays import Floats
from evaluation.core.statistics.estimate import Estimand, Estimate, IntervalMethod, Reason
from evaluation.core.uncertainty import crossed_interval


def test_variances_over_topics_and_teams_add_up() -> None:
    rng = np.random.default_rng(12)
    topics, teams = rng.normal(0, 1, 20), rng.normal(0, 2, 6)
    # Of a mean the jackknife variance is the squared standard error.
    topic_error, team_error = stats.sem(topics), stats.sem(teams)
    total = topic_error**2 + team_error**2
    freedom = total**2 / (topic_error**4 / 19 + team_error**4 / 5)
    found = crossed_interval(Estimate.of(1.0), _without_each(topics), [_without_each(teams)])
    half = stats.t.ppf(0.975, freedom) * np.sqrt(total)
    assert (found.low, found.high) == pytest.approx((1 - half, 1 + half))
    assert (found.method, found.estimand) == (IntervalMethod.CROSSED, Estimand.NEW_TOPICS_AND_TEAMS)


def test_strata_of_teams_add_up_as_in_welchs_test() -> None:
    rng = np.random.default_rng(13)
    one, two = rng.normal(0, 1, 4), rng.normal(0, 3, 6)
    value = one.mean() - two.mean()
    left_out = [_without_each(one) - two.mean(), one.mean() - _without_each(two)]
    found = crossed_interval(Estimate.of(value), np.full(12, value), left_out)
    expected = stats.ttest_ind(one, two, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_cases_without_an_interval_have_a_reason() -> None:
    topics, teams = np.linspace(0, 1, 10), np.linspace(0, 1, 5)
    value = Estimate.of(0.5)
    assert crossed_interval(value, topics[:9], [teams]).reason == Reason.TOO_FEW_TOPICS
    assert crossed_interval(value, topics, [teams[:4]]).reason == Reason.TOO_FEW_TEAMS
    assert crossed_interval(value, topics, [teams, teams[:1]]).reason == Reason.TOO_FEW_TEAMS
    assert crossed_interval(value, np.ones(10), [np.ones(5)]).reason == Reason.NO_VARIATION
    assert crossed_interval(value, np.r_[topics, np.nan], [teams]).reason == Reason.HANGS_ON_ONE_TOPIC
    assert crossed_interval(Estimate.undefined(Reason.EMPTY), topics, [teams]).reason == Reason.EMPTY


def _without_each(values: Floats) -> Floats:
    means: Floats = (values.sum() - values) / (values.size - 1)
    return means
