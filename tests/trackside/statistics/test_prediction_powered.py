import numpy as np
import pytest
from numpy.linalg import lstsq
from scipy.stats import t

from tests.oracles import ppi
from trackside.arrays import Floats
from trackside.statistics.estimate import Estimate, Interval, IntervalMethod, Reason
from trackside.statistics.prediction_powered import EstimatedTotals, powered_totals

RANDOM = np.random.default_rng(7)
PEOPLE = RANDOM.random(20)
MODEL = PEOPLE / 2 + RANDOM.random(20) / 2
ALL = 60  # units, of which 20 are drawn


def of_topics(people: Floats, model: Floats, model_mean: float | Floats, units: int = ALL) -> EstimatedTotals:
    """Means over topics: shares are values over their number."""
    chances = np.full(people.shape[-1], people.shape[-1] / units)
    return powered_totals(people / units, model / units, np.asarray(model_mean), chances=chances)


def half_width(found: EstimatedTotals) -> Floats:
    return (found.high - found.low) / 2


def test_means_are_those_of_a_fitted_line_at_the_models_mean() -> None:
    (intercept, slope), *_ = lstsq(np.column_stack([np.ones(20), MODEL]), PEOPLE, rcond=None)
    assert of_topics(PEOPLE, MODEL, 0.5).estimate == pytest.approx(intercept + slope * 0.5, abs=1e-14)


def test_means_are_those_of_ppi_with_its_tuned_weight() -> None:
    """ppi_py counts the units without people's grades apart; its weight then gives the same estimate."""
    others = np.random.default_rng(8).random(40)
    weight = ppi.tuned_weight(PEOPLE, MODEL, others)
    found = of_topics(PEOPLE, MODEL, np.concatenate([MODEL, others]).mean())
    assert found.estimate == pytest.approx(ppi.mean_of(PEOPLE, MODEL, others, weight), abs=1e-14)


def test_interval_of_a_large_sample_of_a_large_set_is_that_of_ppi() -> None:
    """Ours is of the set at hand, ppi_py's of all sets like it: equal once the set is much larger."""
    draw = np.random.default_rng(9)
    model = draw.random(200_000)
    people = 0.3 + 0.4 * model[:2_000] + draw.normal(0, 0.1, 2_000)
    found = of_topics(people, model[:2_000], model.mean(), units=model.size)
    weight = ppi.tuned_weight(people, model[:2_000], model[2_000:])
    low, high = ppi.ends_of(people, model[:2_000], model[2_000:], weight)
    assert (float(found.low), float(found.high)) == pytest.approx((low, high), abs=0.03 * (high - low))


def test_interval_takes_residuals_of_lines_that_leave_a_unit_out() -> None:
    """Errors of each unit under the line through the others, weighted by its share in the estimate."""
    sheet = np.column_stack([np.ones(20), MODEL])
    weights = np.array([1.0, 0.5]) @ np.linalg.inv(sheet.T @ sheet) @ sheet.T
    errors = []
    for unit in range(20):
        others = np.arange(20) != unit
        line, *_ = lstsq(sheet[others], PEOPLE[others], rcond=None)
        errors.append(PEOPLE[unit] - sheet[unit] @ line)
    parts = (1 - 20 / ALL) * (weights * np.array(errors)) ** 2
    by_parts = 2 * parts.sum() ** 2 / ((parts**2).sum() - parts.sum() ** 2 / 20)
    expected = t.ppf(0.975, min(9, by_parts)) * np.sqrt(parts.sum())
    assert half_width(of_topics(PEOPLE, MODEL, 0.5)) == pytest.approx(expected, rel=1e-9)


def test_model_with_one_value_leaves_peoples_own_mean() -> None:
    """Residuals left out are 20/19 of those kept: Student's interval of a finite set times sqrt(20/19)."""
    found = of_topics(PEOPLE, np.full(20, 0.4), 0.4)
    assert found.estimate == pytest.approx(PEOPLE.mean(), abs=1e-14)
    error = np.sqrt(20 / 19 * PEOPLE.var(ddof=1) * (1 / 20 - 1 / ALL))
    assert half_width(found) == pytest.approx(t.ppf(0.975, 9.5) * error, rel=1e-9)


def test_all_units_give_an_interval_without_width() -> None:
    found = of_topics(PEOPLE[:5], MODEL[:5], MODEL[:5].mean(), units=5)
    assert found.estimate == pytest.approx(PEOPLE[:5].mean(), abs=1e-14)
    assert half_width(found) == 0


def test_unequal_chances_without_a_model_are_horvitz_thompson_with_hajeks_variance() -> None:
    chances = RANDOM.uniform(0.2, 0.9, 20)
    found = powered_totals(PEOPLE, np.zeros(20), np.asarray(0.0), chances=chances)
    assert found.estimate == pytest.approx((PEOPLE / chances).sum(), abs=1e-12)
    weights = 1 - chances
    centre = (weights * PEOPLE / chances).sum() / weights.sum()
    left_out = (PEOPLE / chances - centre) / (1 - weights / weights.sum())
    parts = weights * left_out**2
    freedom = min(9.5, 2 * parts.sum() ** 2 / ((parts**2).sum() - parts.sum() ** 2 / 20))
    assert half_width(found) == pytest.approx(t.ppf(0.975, freedom) * np.sqrt(parts.sum()), rel=1e-9)


def test_units_that_are_always_drawn_add_their_share_and_no_variance() -> None:
    chances = np.full(20, 0.5)
    alone = powered_totals(PEOPLE, MODEL, np.asarray(20.0), chances=chances)
    both = powered_totals(
        np.append(PEOPLE, 3.0), np.append(MODEL, 1.0), np.asarray(21.0), chances=np.append(chances, 1.0)
    )
    assert both.estimate == pytest.approx(alone.estimate + 3, abs=1e-12)
    assert half_width(both) == pytest.approx(half_width(alone), rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 4, 19])
def test_fewer_than_twenty_units_have_no_interval(n: int) -> None:
    ((estimate, interval),) = of_topics(PEOPLE[:n], MODEL[:n], 0.5).intervals()
    assert estimate.value is not None
    assert interval.reason is Reason.TOO_FEW_GRADED_TOPICS
    assert (interval.low, interval.high) == (None, None)


def test_intervals_name_their_method() -> None:
    found = of_topics(PEOPLE, MODEL, 0.5)
    ((estimate, interval),) = found.intervals()
    assert estimate == Estimate.of(float(found.estimate))
    assert interval == Interval(float(found.low), float(found.high), 0.95, None, IntervalMethod.REGRESSION)


@pytest.mark.parametrize("differing", [0, 1, 5])
def test_model_that_equals_people_on_graded_units_has_no_interval(differing: int) -> None:
    """The interval would have almost no width, but the model may err on units that were not drawn."""
    model = PEOPLE.copy()
    model[:differing] += 0.1
    found = of_topics(PEOPLE, model, 0.9)
    assert np.isnan(found.low)
    assert found.lacking is Reason.TOO_FEW_GRADED_DIFFERING
    model[:6] += 0.1
    assert half_width(of_topics(PEOPLE, model, 0.9)) > 0


def test_model_that_is_peoples_line_has_no_interval() -> None:
    """Every residual is zero, though the values differ."""
    assert np.isnan(of_topics(PEOPLE, 0.2 + PEOPLE / 2, 0.5).low)


@pytest.mark.parametrize(("zeros", "is_printed"), [(14, True), (15, False), (20, False)])
def test_values_mostly_equal_have_no_interval(zeros: int, is_printed: bool) -> None:
    people = np.where(np.arange(20) < zeros, 0.0, PEOPLE)
    assert np.isfinite(of_topics(people, MODEL, 0.5).low) == is_printed


def test_runs_are_estimated_as_each_alone() -> None:
    random = np.random.default_rng(5)
    people, model = random.random((2, 3, 25)), random.random((2, 3, 25))
    found = of_topics(people, model, np.full((2, 3), 0.5), units=30)
    for index in np.ndindex(2, 3):
        alone = of_topics(people[index], model[index], 0.5, units=30)
        assert found.estimate[index] == pytest.approx(alone.estimate, abs=1e-14)
        assert half_width(found)[index] == pytest.approx(half_width(alone), abs=1e-14)


# 2,000 tracks: a share of 95 % has a standard error of half a point.
@pytest.mark.parametrize("judge", ["lenient", "useless"])
@pytest.mark.parametrize("n", [20, 40])
def test_intervals_over_topics_cover_at_their_level(judge: str, n: int) -> None:
    draw = np.random.default_rng(n)
    people = draw.beta(0.7, 3.0, (2_000, 74))  # low values with a few high ones, as AP has
    model = 0.35 + 0.5 * people + draw.normal(0, 0.1, people.shape)
    if judge == "useless":
        model = draw.beta(2, 2, people.shape)
    drawn = np.argsort(draw.random(people.shape), axis=1)[:, :n]
    graded, guessed = (np.take_along_axis(values, drawn, axis=1) for values in (people, model))
    found = of_topics(graded, guessed, model.mean(axis=1), units=74)
    holds = (found.low <= people.mean(axis=1)) & (people.mean(axis=1) <= found.high)
    assert 0.93 <= holds.mean() <= 0.98
    assert np.abs((found.estimate - people.mean(axis=1)).mean()) < 0.002
