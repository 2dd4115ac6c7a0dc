import numpy as np
import pytest
from scipy import stats

from evaluation.core.arrays import Floats
from evaluation.core.statistics.estimate import Estimand, Estimate, IntervalMethod, Reason
from evaluation.core.uncertainty import crossed_interval


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
        Estimate.of(values.mean()), _without_each(topics), [_without_each(teams)], [both]
    )
    half = stats.t.ppf(0.975, freedom) * np.sqrt(of_topics + of_teams - common)
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half))
    assert (found.method, found.estimand) == (IntervalMethod.CROSSED, Estimand.NEW_TOPICS_AND_TEAMS)


def test_strata_of_teams_add_up_as_in_welchs_test() -> None:
    rng = np.random.default_rng(13)
    one, two = rng.normal(0, 1, 4), rng.normal(0, 3, 6)
    value = one.mean() - two.mean()
    left_out = [_without_each(one) - two.mean(), one.mean() - _without_each(two)]
    both = [np.repeat(each[:, None], 12, axis=1) for each in left_out]  # all topics are alike
    found = crossed_interval(Estimate.of(value), np.full(12, value), left_out, both)
    expected = stats.ttest_ind(one, two, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_cases_without_an_interval_have_a_reason() -> None:
    topics, teams = np.linspace(0, 1, 10), np.linspace(0, 1, 5)
    value = Estimate.of(0.5)

    def reason(value: Estimate, topics: Floats, teams: list[Floats]) -> Reason | None:
        both = [np.add.outer(each, topics) for each in teams]
        return crossed_interval(value, topics, teams, both).reason

    assert reason(value, topics[:9], [teams]) == Reason.TOO_FEW_TOPICS
    assert reason(value, topics, [teams[:4]]) == Reason.TOO_FEW_TEAMS
    assert reason(value, topics, [teams, teams[:1]]) == Reason.TOO_FEW_TEAMS
    assert reason(value, np.ones(10), [np.ones(5)]) == Reason.NO_VARIATION
    assert reason(value, np.r_[topics, np.nan], [teams]) == Reason.HANGS_ON_ONE_TOPIC
    assert reason(Estimate.undefined(Reason.EMPTY), topics, [teams]) == Reason.EMPTY
    hole = np.full((5, 10), np.nan)
    assert crossed_interval(value, topics, [teams], [hole]).reason == Reason.HANGS_ON_ONE_TOPIC


def _without_each(values: Floats) -> Floats:
    means: Floats = (values.sum() - values) / (values.size - 1)
    return means
