import pytest
from scipy import stats

from trackside.statistics.estimate import Reason
from trackside.statistics.proportions import clopper_pearson, wilson


@pytest.mark.parametrize(("successes", "n"), [(45, 50), (0, 7), (7, 7), (1, 3)])
def test_intervals_equal_scipys(successes: int, n: int) -> None:
    test = stats.binomtest(successes, n)
    score, exact = test.proportion_ci(method="wilson"), test.proportion_ci(method="exact")
    for ours, theirs in ((wilson(successes, n), score), (clopper_pearson(successes, n), exact)):
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_intervals_take_their_level() -> None:
    theirs = stats.binomtest(3, 10).proportion_ci(confidence_level=0.8, method="exact")
    assert clopper_pearson(3, 10, level=0.8).low == pytest.approx(theirs.low)


def test_intervals_of_nothing_are_undefined() -> None:
    assert wilson(0, 0).reason is clopper_pearson(0, 0).reason is Reason.EMPTY
