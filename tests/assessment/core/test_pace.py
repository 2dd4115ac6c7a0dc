from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from scipy import stats

from assessment.core.pace import draw_pace, find_outlook, pace
from trackside.statistics.estimate import Reason


def test_pace_of_an_assessor_who_gets_faster() -> None:
    # The only order as far from chance is its reverse.
    speed = pace([100 * 0.9**place for place in range(5)])
    assert speed.tau.value == pytest.approx(-1.0)
    assert speed.p.value == pytest.approx(2 / 120)


def test_halves_and_medians() -> None:
    speed = pace([5, 3, 9, 1, 2])
    assert (speed.median.value, speed.first_half.value, speed.second_half.value) == (3, 4, 2)


def test_ties_and_long_days_get_the_normal_p() -> None:
    rng = np.random.default_rng(1)
    for seconds in ([3.0, 3.0, 2.0, 5.0, 4.0, 1.0], (rng.random(300) + 1).tolist()):
        theirs = stats.kendalltau(np.arange(len(seconds)), seconds, method="asymptotic")
        assert pace(seconds).p.value == pytest.approx(float(theirs.pvalue))


def test_the_trend_needs_three_judgments_that_differ() -> None:
    assert pace([]).median.reason is Reason.EMPTY
    assert pace([3, 4]).tau.reason is Reason.TOO_FEW
    assert pace([3, 3, 3]).p.reason is Reason.CONSTANT
    assert pace([3, 3, 3]).median.value == 3


NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_rest_is_done_at_the_pace_of_the_last_seven_days() -> None:
    """70 in 7 days are 10 a day: 25 left take two and a half days."""
    outlook = find_outlook(75, 25, 70, first_at=NOW - timedelta(days=30), now=NOW)
    assert (outlook.day_count, outlook.share, outlook.left_count) == (10.0, 0.75, 25)
    assert outlook.done_at == NOW + timedelta(days=2.5)


def test_pace_of_the_first_days_is_over_these_days() -> None:
    """20 in two days are 10 a day; two hours count as a day."""
    assert find_outlook(20, 5, 20, first_at=NOW - timedelta(days=2), now=NOW).day_count == 10.0
    assert find_outlook(20, 5, 20, first_at=NOW - timedelta(hours=2), now=NOW).day_count == 20.0


@pytest.mark.parametrize(("given", "left", "week"), [(5, 0, 5), (5, 5, 0)])
def test_nothing_left_and_nobody_at_work_have_no_end(given: int, left: int, week: int) -> None:
    assert find_outlook(given, left, week, first_at=NOW - timedelta(days=9), now=NOW).done_at is None


def test_without_judgments_there_is_no_pace() -> None:
    outlook = find_outlook(0, 8, 0, first_at=None, now=NOW)
    assert (outlook.day_count, outlook.done_at, outlook.wanted_count) == (None, None, 8)
    assert find_outlook(0, 0, 0, first_at=None, now=NOW).share is None


def test_chart_ends_at_what_is_given_now_and_leaves_out_an_end_far_away() -> None:
    first = datetime(2026, 11, 20, tzinfo=UTC)
    days = [(first, 40), (first + timedelta(days=2), 35)]
    outlook = find_outlook(75, 25, 75, first_at=first, now=NOW)
    chart = draw_pace(days, outlook, now=NOW, deadline=NOW + timedelta(days=3))
    assert chart.line.endswith(f"L{chart.now[0]} {chart.now[1]}")
    assert chart.done is not None
    assert chart.done[0] < (chart.deadline or 0)
    slow = find_outlook(75, 100_000, 75, first_at=first, now=NOW)
    assert draw_pace(days, slow, now=NOW, deadline=None).done is None


def test_label_of_an_early_deadline_is_after_it() -> None:
    """Days 1 to 21: a deadline on day 3 is in the left half, one on day 15 in the right half."""
    first = NOW - timedelta(days=20)
    outlook = find_outlook(5, 0, 5, first_at=first, now=NOW)
    for day, is_early in ((3, True), (15, False)):
        chart = draw_pace([(first, 5)], outlook, now=NOW, deadline=first + timedelta(days=day))
        assert chart.is_deadline_early is is_early
    assert not draw_pace([(first, 5)], outlook, now=NOW, deadline=None).is_deadline_early
