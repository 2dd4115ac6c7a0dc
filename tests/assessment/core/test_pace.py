import numpy as np
import pytest
from scipy import stats

from assessment.core.pace import pace
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
