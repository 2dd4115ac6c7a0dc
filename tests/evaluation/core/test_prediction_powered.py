import numpy as np
import pytest
from numpy.linalg import lstsq

from evaluation.core.arrays import Floats
from evaluation.core.prediction_powered import EstimatedMeans, plain_means, powered_means
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


def half_width(found: EstimatedMeans) -> Floats:
    return (found.high - found.low) / 2


def test_powered_means_are_those_of_a_fitted_line_at_the_models_mean() -> None:
    (intercept, slope), *_ = lstsq(np.column_stack([np.ones(5), MODEL]), PEOPLE, rcond=None)
    found = powered_means(PEOPLE, MODEL, np.array(0.5), units=20)
    assert found.estimate == pytest.approx(intercept + slope * 0.5, abs=1e-14)


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
    assert half_width(found) == pytest.approx(expected, abs=1e-12)


def test_model_that_says_one_thing_leaves_peoples_own_mean() -> None:
    """Residuals left out are 5/4 of those kept, so the interval is sqrt(5/4) of the plain one."""
    found = powered_means(PEOPLE, np.full(5, 0.4), np.array(0.4), units=20)
    plain = plain_means(PEOPLE, units=20)
    assert found.estimate == pytest.approx(PEOPLE.mean(), abs=1e-15)
    assert half_width(found) == pytest.approx(half_width(plain) * np.sqrt(5 / 4), abs=1e-14)


def test_plain_interval_is_students_for_a_finite_set() -> None:
    found = plain_means(PEOPLE, units=20)
    assert found.estimate == pytest.approx(0.52)
    # The sample variance of PEOPLE is 0.328 / 4 = 0.082.
    assert half_width(found) == pytest.approx(T_975_OF_4 * np.sqrt(0.082 * (1 / 5 - 1 / 20)), abs=1e-12)


def test_all_units_leave_no_doubt() -> None:
    found = powered_means(PEOPLE, MODEL, MODEL.mean(), units=5)
    assert found.estimate == pytest.approx(0.52, abs=1e-15)
    assert half_width(found) == 0


@pytest.mark.parametrize("n", [1, 2, 3])
def test_too_few_units_have_no_interval(n: int) -> None:
    assert np.isnan(powered_means(PEOPLE[:n], MODEL[:n], np.array(0.5), units=20).low)
    assert np.isnan(plain_means(PEOPLE[:n], units=20).low)


def test_runs_and_replicates_are_estimated_as_each_alone() -> None:
    random = np.random.default_rng(5)
    people, model = random.random((2, 3, 8)), random.random((2, 3, 8))
    found = powered_means(people, model, np.full((2, 3), 0.5), units=30)
    for place in np.ndindex(2, 3):
        alone = powered_means(people[place], model[place], np.array(0.5), units=30)
        assert (found.estimate[place], half_width(found)[place]) == (alone.estimate, half_width(alone))


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
