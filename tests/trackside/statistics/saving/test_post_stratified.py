from math import comb, sqrt

import numpy as np
import pytest

from tests.simulations.coverage import item_coverage
from tests.simulations.saving import JUDGES, SHARES
from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.statistics.proportions import wilson
from trackside.statistics.saving.post_stratified import post_stratified_totals
from trackside.statistics.saving.prediction_powered import EstimatedMeans

HUGE = 1e12  # a set so large that its correction disappears


def totals(sizes: list[float], drawn: list[float], relevant: list[float], **more: object) -> EstimatedMeans:
    """The estimated totals of one run; strata are the first axis."""
    shares = np.full((len(sizes), 1), 0.25)
    columns = [np.array([each]).T for each in (sizes, drawn, relevant)]
    return post_stratified_totals(*columns, shares=shares, **more)  # type: ignore[arg-type]


def test_total_weighs_each_grade_of_the_judge() -> None:
    # 30 items of which 4 of 10 drawn are relevant, and 50 of which 6 of 8 are: 30 * 0.4 + 50 * 0.75 = 49.5.
    found = totals([30, 50], [10, 8], [4, 6])
    assert found.estimate == pytest.approx([49.5])
    assert found.method is IntervalMethod.POST_STRATIFIED


def test_share_of_a_grade_that_was_not_drawn_is_the_given_one_with_all_doubt() -> None:
    # 4 of 12 drawn are relevant among 30, none drawn among 20: 30 / 3 + 20 * 0.25 = 15.
    found = totals([30, 20], [12, 0], [4, 0])
    assert found.estimate == pytest.approx([15])
    assert found.low[0] >= 4  # those already found
    assert found.high[0] - 15 >= 20 * 0.75


def test_one_stratum_of_a_huge_set_has_wilsons_interval() -> None:
    found, expected = totals([HUGE], [40], [9]), wilson(9, 40)
    assert found.low / HUGE == pytest.approx(expected.low, abs=1e-9)
    assert found.high / HUGE == pytest.approx(expected.high, abs=1e-9)


def test_strata_are_joined_by_the_sum_of_squares_of_their_distances() -> None:
    """Zou and Donner 2008, with shares of 9 of 40 and 15 of 20, and equal weights."""
    found = totals([HUGE, HUGE], [40, 20], [9, 15])
    one, two = wilson(9, 40), wilson(15, 20)
    assert one.low is not None
    assert one.high is not None
    assert two.low is not None
    assert two.high is not None
    below = sqrt((9 / 40 - one.low) ** 2 + (15 / 20 - two.low) ** 2)
    above = sqrt((one.high - 9 / 40) ** 2 + (two.high - 15 / 20) ** 2)
    assert found.low / HUGE == pytest.approx(9 / 40 + 15 / 20 - below, abs=1e-9)
    assert found.high / HUGE == pytest.approx(9 / 40 + 15 / 20 + above, abs=1e-9)


def test_difference_turns_the_ends_of_what_is_taken_away() -> None:
    found = totals([HUGE, HUGE], [40, 20], [9, 15], signs=np.array([1.0, -1.0]))
    turned = totals([HUGE, HUGE], [40, 20], [9, 15], signs=np.array([-1.0, 1.0]))
    assert found.estimate / HUGE == pytest.approx(9 / 40 - 15 / 20)
    assert found.low == pytest.approx(-turned.high)
    assert found.high == pytest.approx(-turned.low)


def test_interval_without_spread_among_the_drawn_still_has_a_width() -> None:
    """The judge is right on all fifteen drawn; its grades of the others are not certain."""
    found = totals([40, 60], [7, 8], [0, 8])
    assert found.estimate == pytest.approx([60])
    assert found.low[0] < 55
    assert found.high[0] > 62


def test_width_shrinks_to_none_as_all_are_drawn() -> None:
    widths = [
        float((found.high - found.low)[0]) for n in range(10, 41) for found in [totals([40], [n], [n / 2])]
    ]
    assert widths == sorted(widths, reverse=True)
    assert widths[-2] > 0
    assert widths[-1] == 0


@pytest.mark.parametrize(
    ("sizes", "drawn", "is_known"),
    [
        ([30, 30], [5, 5], True),
        ([30, 30], [5, 4], False),
        ([5, 4], [5, 4], True),
        ([5, 4], [5, 3], False),
        ([0, 0], [0, 0], False),
    ],
)
def test_fewer_than_ten_drawn_items_have_no_interval_unless_all_are(
    sizes: list[float], drawn: list[float], is_known: bool
) -> None:
    found = totals(sizes, drawn, [0, 0])
    assert np.isfinite(found.low[0]) == is_known
    ((_, interval),) = found.intervals()
    assert interval.reason is (None if is_known else Reason.TOO_FEW_INFORMATIVE)


def test_interval_covers_every_possible_sample_of_a_small_set_at_its_level() -> None:
    """Sixty items with any number of relevant ones: chances of all samples of twenty, by hand.

    Wilson's interval is known to dip for some numbers of relevant ones; the mean is near 95 %.
    """
    shares = []
    for relevant in range(61):
        held = 0.0
        for seen in range(max(0, 20 - (60 - relevant)), min(20, relevant) + 1):
            found = totals([60], [20], [seen])
            chance = comb(relevant, seen) * comb(60 - relevant, 20 - seen) / comb(60, 20)
            held += chance * bool(found.low[0] - 1e-9 <= relevant <= found.high[0] + 1e-9)
        shares.append(held)
    assert min(shares) > 0.88
    assert 0.94 <= np.mean(shares) <= 0.975


# 100 tracks of eight runs, which share the drawn items: a share has a standard error of about one point.
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("judge", JUDGES)
def test_intervals_over_items_cover_at_their_level(share: str, judge: str) -> None:
    for found in item_coverage(share, judge, 100, tracks=100):
        assert found.holds >= 0.92
        assert found.half > 0
