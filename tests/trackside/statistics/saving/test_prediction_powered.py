import numpy as np
import pytest
from numpy.linalg import lstsq

from tests.simulations.coverage import TOPIC_SIZES, difference_coverage, topic_coverage
from tests.simulations.topic_tracks import JUDGES, POPULATIONS
from trackside.arrays import Floats
from trackside.statistics.estimate import Estimate, Interval, IntervalMethod, Reason
from trackside.statistics.saving.prediction_powered import EstimatedMeans, plain_means, powered_means

RANDOM = np.random.default_rng(7)
PEOPLE = RANDOM.random(20)
MODEL = PEOPLE / 2 + RANDOM.random(20) / 2
T_975_OF_9 = 2.2621571628540993  # Student's t, from printed tables
T_975_OF_9_5 = 2.2444  # between those of 9 and 10 degrees, 2.2622 and 2.2281


def half_width(found: EstimatedMeans) -> Floats:
    return (found.high - found.low) / 2


def test_powered_means_are_those_of_a_fitted_line_at_the_models_mean() -> None:
    (intercept, slope), *_ = lstsq(np.column_stack([np.ones(20), MODEL]), PEOPLE, rcond=None)
    found = powered_means(PEOPLE, MODEL, np.array(0.5), units=60)
    assert found.estimate == pytest.approx(intercept + slope * 0.5, abs=1e-14)


def test_powered_interval_takes_residuals_of_lines_that_leave_a_unit_out() -> None:
    """Errors of each unit under the line through the others, weighted by its share in the estimate."""
    sheet = np.column_stack([np.ones(20), MODEL])
    weights = np.array([1.0, 0.5]) @ np.linalg.inv(sheet.T @ sheet) @ sheet.T
    errors = []
    for unit in range(20):
        others = np.arange(20) != unit
        line, *_ = lstsq(sheet[others], PEOPLE[others], rcond=None)
        errors.append(PEOPLE[unit] - sheet[unit] @ line)
    # Of 18 degrees of freedom half are taken.
    expected = T_975_OF_9 * np.sqrt((1 - 20 / 60) * ((weights * errors) ** 2).sum())
    found = powered_means(PEOPLE, MODEL, np.array(0.5), units=60)
    assert half_width(found) == pytest.approx(expected, rel=1e-9)


def test_model_with_one_value_leaves_peoples_own_mean() -> None:
    """Residuals left out are 20/19 of those kept, so the interval is sqrt(20/19) of the plain one."""
    found = powered_means(PEOPLE, np.full(20, 0.4), np.array(0.4), units=60)
    plain = plain_means(PEOPLE, units=60)
    assert found.estimate == pytest.approx(PEOPLE.mean(), abs=1e-15)
    assert half_width(found) == pytest.approx(half_width(plain) * np.sqrt(20 / 19), abs=1e-14)


def test_plain_interval_is_students_for_a_finite_set() -> None:
    found = plain_means(PEOPLE, units=60)
    assert found.estimate == pytest.approx(sum(PEOPLE) / 20)
    variance = sum((value - sum(PEOPLE) / 20) ** 2 for value in PEOPLE) / 19
    assert half_width(found) == pytest.approx(T_975_OF_9_5 * np.sqrt(variance * (1 / 20 - 1 / 60)), rel=1e-3)


def test_all_units_give_an_interval_without_width() -> None:
    found = powered_means(PEOPLE[:5], MODEL[:5], MODEL[:5].mean(), units=5)
    assert found.estimate == pytest.approx(PEOPLE[:5].mean(), abs=1e-15)
    assert half_width(found) == 0


@pytest.mark.parametrize("n", [1, 2, 4, 10, 19])
def test_fewer_than_twenty_units_have_no_interval(n: int) -> None:
    for found in (
        powered_means(PEOPLE[None, :n], MODEL[None, :n], np.array([0.5]), units=60),
        plain_means(PEOPLE[None, :n], units=60),
    ):
        ((estimate, interval),) = found.intervals()
        assert estimate.value is not None
        assert interval.reason is Reason.TOO_FEW_GRADED_TOPICS
        assert (interval.low, interval.high) == (None, None)


def test_intervals_name_their_method() -> None:
    found = powered_means(PEOPLE[None], MODEL[None], np.array([0.5]), units=60)
    ((estimate, interval),) = found.intervals()
    assert estimate == Estimate.of(found.estimate[0])
    ends = float(found.low[0]), float(found.high[0])
    assert interval == Interval(*ends, 0.95, None, IntervalMethod.REGRESSION)


@pytest.mark.parametrize("differing", [0, 1, 5])
def test_model_that_equals_people_on_graded_units_has_no_interval(differing: int) -> None:
    """The interval would have almost no width, but the model may err on units that were not drawn."""
    model = PEOPLE.copy()
    model[:differing] += 0.1
    found = powered_means(PEOPLE, model, np.array(0.9), units=60)
    assert np.isnan(found.low)
    assert found.lacking is Reason.TOO_FEW_GRADED_DIFFERING
    model[:6] += 0.1
    assert half_width(powered_means(PEOPLE, model, np.array(0.9), units=60)) > 0


def test_model_that_is_peoples_line_has_no_interval() -> None:
    """Every residual is zero, though the values differ."""
    assert np.isnan(powered_means(PEOPLE, 0.2 + PEOPLE / 2, np.array(0.5), units=60).low)


@pytest.mark.parametrize(("zeros", "is_printed"), [(14, True), (15, False), (20, False)])
def test_values_mostly_equal_have_no_interval(zeros: int, is_printed: bool) -> None:
    people = np.where(np.arange(20) < zeros, 0.0, PEOPLE)
    for found in (powered_means(people, MODEL, np.array(0.5), units=60), plain_means(people, units=60)):
        assert np.isfinite(found.low) == is_printed


def test_runs_and_replicates_are_estimated_as_each_alone() -> None:
    random = np.random.default_rng(5)
    people, model = random.random((2, 3, 25)), random.random((2, 3, 25))
    found = powered_means(people, model, np.full((2, 3), 0.5), units=30)
    for place in np.ndindex(2, 3):
        alone = powered_means(people[place], model[place], np.array(0.5), units=30)
        assert (found.estimate[place], half_width(found)[place]) == (alone.estimate, half_width(alone))


# 2,000 tracks: a share of 95 % has a standard error of half a point. Where few tracks have an interval, those
# that have one are wide.
@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize("judge", ["good", "biased", "null"])
@pytest.mark.parametrize("n", TOPIC_SIZES)
def test_intervals_over_topics_cover_at_their_level(population: str, judge: str, n: int) -> None:
    found = topic_coverage(population, judge, n, tracks=2_000)
    assert found.holds >= 0.93
    if found.printed > 0.8:
        assert found.holds <= 0.98


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("n", TOPIC_SIZES)
def test_intervals_of_differences_cover_at_their_level(judge: str, n: int) -> None:
    found = difference_coverage("like nDCG@10", judge, n, tracks=2_000)
    assert 0.93 <= found.holds <= 0.98
