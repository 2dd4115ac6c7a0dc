"""Topics of a paired t-test: published sizes, power by quadrature, variances by analysis of variance."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chi, norm, t

from trackside.errors import InputError
from trackside.statistics.comparison.topic_design import (
    detectable_effect,
    paired_t_power,
    plan_from,
    topics_needed,
)

RUNS = ("a", "b", "c", "d")


def table() -> np.ndarray:
    """Four runs on 40 topics of different difficulty; the last run varies most."""
    rng = np.random.default_rng(3)
    noise = rng.normal(0, (0.1, 0.1, 0.1, 0.2), (40, 4))
    return rng.uniform(0, 1, (40, 1)) + noise


@pytest.mark.parametrize(
    ("effect", "power", "topics"),
    [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.2, 0.95, 327), (0.5, 0.95, 54), (0.8, 0.95, 23)],
)
def test_topics_are_those_of_published_tables(effect: float, power: float, topics: int) -> None:
    """Matched pairs, two-sided at 5 %: G*Power 3.1, and Cohen's tables."""
    assert topics_needed(effect, power=power, alpha=0.05) == topics


@pytest.mark.parametrize(
    ("effect", "topics"), [(0.1, 5), (0.5, 20), (1.0, 10), (3.0, 3), (0.05, 2000), (20.0, 2)]
)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_power_is_that_of_quadrature(effect: float, topics: int, alpha: float) -> None:
    """The normal probability given the estimated deviation, over the distribution of that estimate."""
    freedom, shift = topics - 1, effect * math.sqrt(topics)
    critical = t.ppf(1 - alpha / 2, freedom)

    def found(estimate: float) -> float:
        """Beyond either critical value, given the ratio of estimated and true deviation."""
        end = critical * estimate
        return float(
            (norm.sf(end - shift) + norm.cdf(-end - shift)) * chi.pdf(estimate * freedom**0.5, freedom)
        )

    middle, width = 1.0, 12 / math.sqrt(freedom)
    area = quad(found, max(middle - width, 0), middle + width, limit=400, epsabs=1e-12)[0] * freedom**0.5
    assert paired_t_power(effect, topics, alpha=alpha) == pytest.approx(area, abs=1e-8)


def test_topics_are_the_fewest_and_the_detectable_effect_is_the_inverse() -> None:
    topics = topics_needed(0.31, power=0.9, alpha=0.01)
    assert paired_t_power(0.31, topics, alpha=0.01) >= 0.9 > paired_t_power(0.31, topics - 1, alpha=0.01)
    effect = detectable_effect(topics, power=0.9, alpha=0.01)
    assert paired_t_power(effect, topics, alpha=0.01) == pytest.approx(0.9)


def test_variance_is_twice_the_residual_mean_square_over_topics_and_runs() -> None:
    values = table()
    residuals = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    mean_square = (residuals**2).sum() / (39 * 3)
    plan = plan_from(values, RUNS)
    assert plan.deviation**2 == pytest.approx(2 * mean_square)
    highest = max((values[:, one] - values[:, 3]).var(ddof=1) for one in range(3))
    assert plan.most_deviation**2 == pytest.approx(highest)
    assert plan.topics < plan.most_topics
    assert (plan.topics > 40) == (plan.detectable > 0.05)


def test_topics_without_a_value_are_left_out() -> None:
    values = table()
    values[3, 1] = np.nan
    assert plan_from(values, RUNS).topic_count == 39


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 0.0}, "difference 0.0: give one above 0"),
        ({"difference": math.nan}, "difference nan"),
        ({"difference": 1e-9}, "Give a larger difference"),
        ({"power": 1.0}, "power 1.0"),
        ({"alpha": 0.9}, "alpha 0.9"),
        ({"alpha": 0.0}, "alpha 0.0"),
    ],
)
def test_bad_options_are_named(options: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan_from(table(), RUNS, **options)


def test_bad_tables_are_refused() -> None:
    with pytest.raises(InputError, match="1 run with values on 40 common topics"):
        plan_from(table()[:, :1], RUNS[:1])
    with pytest.raises(InputError, match="differ by the same on every topic"):
        plan_from(np.arange(10.0)[:, None] + np.arange(3.0), RUNS[:3])
