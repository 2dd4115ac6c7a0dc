import numpy as np
import pytest
from numpy.linalg import lstsq

from evaluation.core.prediction_powered import (
    EffortPoint,
    effort_curve,
    enough,
    plain_means,
    powered_means,
)
from tests.simulations.coverage import (
    PAIR_SIZES,
    TOPIC_SIZES,
    mostly_zero,
    pair_coverage,
    topic_coverage,
    topic_values,
)

PEOPLE = np.array([0.2, 0.5, 0.3, 0.9, 0.7])
MODEL = np.array([0.1, 0.6, 0.4, 0.8, 0.9])
T_975_OF_3 = 3.182446305284263  # Student's t, from printed tables
T_975_OF_4 = 2.7764451051977987


def test_powered_means_are_those_of_a_fitted_line_at_the_models_mean() -> None:
    (intercept, slope), *_ = lstsq(np.column_stack([np.ones(5), MODEL]), PEOPLE, rcond=None)
    found = powered_means(PEOPLE, MODEL, np.array(0.5), units=20)
    assert found.means == pytest.approx(intercept + slope * 0.5, abs=1e-14)


def test_powered_interval_takes_residuals_of_lines_that_leave_a_unit_out() -> None:
    """Errors of each unit under the line through the other four, weighted by its share in the estimate."""
    sheet = np.column_stack([np.ones(5), MODEL])
    weights = np.array([1.0, 0.5]) @ np.linalg.inv(sheet.T @ sheet) @ sheet.T
    errors = []
    for unit in range(5):
        others = np.arange(5) != unit
        line, *_ = lstsq(sheet[others], PEOPLE[others], rcond=None)
        errors.append(PEOPLE[unit] - sheet[unit] @ line)
    expected = T_975_OF_3 * np.sqrt((1 - 5 / 20) * ((weights * errors) ** 2).sum())
    found = powered_means(PEOPLE, MODEL, np.array(0.5), units=20)
    assert found.halves == pytest.approx(expected, abs=1e-12)


def test_model_that_says_one_thing_leaves_peoples_own_mean() -> None:
    """Residuals left out are 5/4 of those kept, so the interval is sqrt(5/4) of the plain one."""
    found = powered_means(PEOPLE, np.full(5, 0.4), np.array(0.4), units=20)
    plain = plain_means(PEOPLE, units=20)
    assert found.means == pytest.approx(PEOPLE.mean(), abs=1e-15)
    assert found.halves == pytest.approx(plain.halves * np.sqrt(5 / 4), abs=1e-14)


def test_plain_interval_is_students_for_a_finite_set() -> None:
    found = plain_means(PEOPLE, units=20)
    assert found.means == pytest.approx(0.52)
    # The sample variance of PEOPLE is 0.328 / 4 = 0.082.
    assert found.halves == pytest.approx(T_975_OF_4 * np.sqrt(0.082 * (1 / 5 - 1 / 20)), abs=1e-12)


def test_all_units_leave_no_doubt() -> None:
    found = powered_means(PEOPLE, MODEL, MODEL.mean(), units=5)
    assert found.means == pytest.approx(0.52, abs=1e-15)
    assert found.halves == 0


@pytest.mark.parametrize("n", [1, 2])
def test_too_few_units_have_no_interval(n: int) -> None:
    assert np.isnan(powered_means(PEOPLE[:n], MODEL[:n], np.array(0.5), units=20).halves)


def test_runs_and_replicates_are_estimated_as_each_alone() -> None:
    random = np.random.default_rng(5)
    people, model = random.random((2, 3, 8)), random.random((2, 3, 8))
    found = powered_means(people, model, np.full((2, 3), 0.5), units=30)
    for place in np.ndindex(2, 3):
        alone = powered_means(people[place], model[place], np.array(0.5), units=30)
        assert (found.means[place], found.halves[place]) == (alone.means, alone.halves)


def test_effort_curve_ends_with_the_order_of_all_units() -> None:
    random = np.random.default_rng(7)
    people = random.random((6, 40)) * np.linspace(0.4, 1, 6)[:, None]
    points = effort_curve(people, people * 0.8 + 0.1, [10, 40], seed=3)
    assert [point.n for point in points] == [10, 40]
    assert points[0].powered_tau == 1  # the model is a line through people's values
    assert points[0].powered_half == pytest.approx(0, abs=1e-12)
    assert points[0].plain_tau < 1
    assert points[1].plain_tau == 1
    assert points[1].plain_half == pytest.approx(0, abs=1e-12)
    assert points == effort_curve(people, people * 0.8 + 0.1, [10, 40], seed=3)


@pytest.mark.parametrize(
    ("taus", "found"),
    [
        ([0.95, 0.85, 0.91, 0.99], 30),
        ([0.5, 0.6, 0.7, 0.8], None),
        ([0.9] * 4, 10),
        ([float("nan")] * 4, None),
    ],
)
def test_enough_is_the_size_from_which_the_order_stays(taus: list[float], found: int | None) -> None:
    points = [EffortPoint(n, 0.1, 0.2, tau, 0.5) for n, tau in zip((10, 20, 30, 40), taus, strict=True)]
    assert enough(points) == found


# 2,000 intervals: a share of 95 % has a standard error of half a point.
@pytest.mark.parametrize("judge", ["good", "biased", "null"])
@pytest.mark.parametrize("n", TOPIC_SIZES)
def test_intervals_over_topics_hold_what_they_promise(judge: str, n: int) -> None:
    values = topic_values(np.random.default_rng(1))
    found = topic_coverage(values, judge, n)
    assert 0.93 <= found.powered <= 0.97
    if judge != "null":
        assert found.powered_half < found.plain_half


@pytest.mark.parametrize("judge", ["good", "biased", "null"])
@pytest.mark.parametrize("n", PAIR_SIZES[1:])
def test_intervals_over_pairs_hold_what_they_promise(judge: str, n: int) -> None:
    assert 0.93 <= pair_coverage(judge, n).powered <= 0.97


def test_values_mostly_zero_need_more_than_ten_topics() -> None:
    """The limit that README states: far too few values that are not zero."""
    values = mostly_zero(np.random.default_rng(1))
    assert topic_coverage(values, "null", 10).powered < 0.93
    assert topic_coverage(values, "null", 40).powered >= 0.93
