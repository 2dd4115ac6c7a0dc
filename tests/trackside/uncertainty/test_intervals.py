import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

from trackside.statistics.agreement import kappa_of_matrices
from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.uncertainty.intervals import (
    FEWEST_TOPICS_FOR_RECALL,
    FEWEST_TOPICS_FOR_SHARE,
    jackknife_ends,
    jackknife_interval,
    matrices_without_each,
    means_without_each,
    on_scale,
    t_quantile,
)
from trackside.uncertainty.student import QUANTILES

SCALE = (0, 1, 2)
ROOT = Path(__file__).parents[3]


def test_tabled_quantiles_are_those_of_scipy_bit_by_bit() -> None:
    assert [*map(float.hex, QUANTILES)] == [
        float(special.stdtrit(freedom, 0.975)).hex() for freedom in (np.inf, *range(1, len(QUANTILES)))
    ]
    tool = runpy.run_path(str(ROOT / "tools/student.py"))
    assert tool["MODULE"].read_text() == tool["module"]()


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_quantiles_do_not_depend_on_the_table(level: float) -> None:
    table = np.array([1.0, 2.0, len(QUANTILES) - 1, np.inf])
    others = np.array([0.5, 2.5, len(QUANTILES), 1e9, np.nan, -1.0, 0.0])
    for freedoms in (table, others, np.concatenate([table, others]), table[:, None], np.float64(7), np.inf):
        wanted = np.asarray(special.stdtrit(freedoms, (1 + level) / 2))
        assert t_quantile(freedoms, level).tobytes() == wanted.tobytes()
        assert t_quantile(freedoms, level).shape == wanted.shape


def test_means_without_each_topic_by_hand() -> None:
    values = np.array([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    # Without the first topic the means are (2 + 6) / 2 and (0 + 3) / 2.
    assert means_without_each(values).tolist() == [[4.0, 1.5], [3.5, 1.5], [1.5, 0.0]]


def test_matrices_without_each_topic_by_hand() -> None:
    matrices = np.array([[[1, 0], [0, 2]], [[0, 3], [1, 0]]])
    assert matrices_without_each(matrices).tolist() == [[[0, 3], [1, 0]], [[1, 0], [0, 2]]]


def test_jackknife_of_a_mean_is_students_interval_when_the_kurtosis_is_that_of_a_normal() -> None:
    # The two-point values have kurtosis 1, so the degrees of freedom are cut to T - 1.
    values = np.array([[0.0, 1.0] * 6])
    found = jackknife_interval(0.5, means_without_each(values)[:, 0])
    expected = stats.t.interval(0.95, 11, 0.5, stats.sem(values[0]))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.method is IntervalMethod.JACKKNIFE


def test_few_topics_that_decide_cost_degrees_of_freedom() -> None:
    # Scipy's unbiased excess kurtosis g of the values: 2 * 12 / (g + 2) degrees, at least 2.
    for values in (np.r_[np.zeros(11), 1.0], np.r_[np.arange(10.0), 15.0, 20.0]):
        freedom = min(max(24 / (stats.kurtosis(values, bias=False) + 2), 2.0), 11.0)
        found = jackknife_interval(values.mean(), means_without_each(values[None])[:, 0])
        assert found.high == pytest.approx(values.mean() + stats.t.ppf(0.975, freedom) * stats.sem(values))


def test_kappa_interval_against_a_loop_over_topics() -> None:
    rng = np.random.default_rng(5)
    matrices = rng.multinomial(60, np.array([5, 2, 1, 1, 4, 1, 1, 1, 2]) / 18, 15).reshape(15, 3, 3)
    kappa = kappa_of_matrices(matrices.sum(axis=0)[None], SCALE)[0]
    left_out = np.array(
        [kappa_of_matrices(np.delete(matrices, t, axis=0).sum(axis=0)[None], SCALE)[0] for t in range(15)]
    )
    assert kappa_of_matrices(matrices_without_each(matrices), SCALE) == pytest.approx(left_out)
    error = np.sqrt(14 / 15 * ((left_out - left_out.mean()) ** 2).sum())
    freedom = min(30 / (stats.kurtosis(left_out, bias=False) + 2), 14.0)
    z = np.arctanh(kappa)
    half = stats.t.ppf(0.975, freedom) * error / (1 - kappa**2)
    found = jackknife_interval(kappa, left_out, scale="correlation")
    assert (found.low, found.high) == pytest.approx((np.tanh(z - half), np.tanh(z + half)))


def test_share_scale_stays_inside_zero_and_one() -> None:
    left_out = np.array([0.97, 0.98, 0.99, 0.9, 0.98, 0.98, 0.97, 0.98, 0.98, 0.98])
    found = jackknife_interval(0.975, left_out, scale="share")
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 0.975 < found.high < 1
    error = np.sqrt(9 / 10 * ((left_out - left_out.mean()) ** 2).sum())
    freedom = max(20 / (stats.kurtosis(left_out, bias=False) + 2), 2.0)
    half = stats.t.ppf(0.975, freedom) * error / (0.975 * 0.025)
    assert np.log(found.high / (1 - found.high)) == pytest.approx(np.log(0.975 / 0.025) + half)


@pytest.mark.filterwarnings("error")
def test_value_next_to_its_bound_with_a_large_error_has_the_bounds_as_ends() -> None:
    # On the logarithm of the odds the step is 0.5 / 1e-5, which exp cannot hold.
    low, high = on_scale(np.array([1 - 1e-5]), np.array([0.5]), "share")
    assert (low[0], high[0]) == (0.0, 1.0)


def test_value_at_its_bound_keeps_an_interval_that_holds_it() -> None:
    left_out = np.r_[np.full(9, 1.0), 0.9]
    found = jackknife_interval(1.0, left_out, scale="correlation")
    assert found.high == 1.0
    assert found.low is not None
    assert -1 <= found.low < 0.9


def test_cases_without_an_interval_have_a_reason() -> None:
    ten, nine = np.linspace(0.4, 0.6, 10), np.linspace(0.4, 0.6, 9)
    half = 0.5
    assert jackknife_interval(half, nine).reason == Reason.TOO_FEW_TOPICS
    assert jackknife_interval(half, nine[:1]).reason == Reason.TOO_FEW_TOPICS
    assert jackknife_interval(half, ten, fewest=FEWEST_TOPICS_FOR_SHARE).reason == (
        Reason.TOO_FEW_TOPICS_FOR_SHARE
    )
    assert jackknife_interval(
        half, np.r_[ten, ten, ten, ten, ten], fewest=FEWEST_TOPICS_FOR_RECALL
    ).reason == (Reason.TOO_FEW_TOPICS_FOR_RECALL)
    assert jackknife_interval(half, nine, fewest=FEWEST_TOPICS_FOR_SHARE).reason == Reason.TOO_FEW_TOPICS
    assert jackknife_interval(half, np.full(10, 0.5)).reason == Reason.NO_VARIATION
    assert jackknife_interval(half, np.r_[ten, np.nan]).reason == Reason.HANGS_ON_ONE_TOPIC


def test_many_rows_at_once_equal_one_at_a_time() -> None:
    rng = np.random.default_rng(6)
    left_out = rng.random((20, 12)) ** 3
    values = left_out.mean(axis=1)
    for scale in ("plain", "share"):
        ends = jackknife_ends(values, left_out, scale=scale)
        one_by_one = [
            jackknife_interval(value, row, scale=scale) for value, row in zip(values, left_out, strict=True)
        ]
        assert ends.intervals == one_by_one


def test_quantiles_are_those_of_tables_in_any_shape() -> None:
    # Abramowitz and Stegun, table 26.10, column .95.
    found = t_quantile(np.array([[1.0, 2.0, 3.0, 10.0], [30.0, 120.0, np.inf, np.inf]]), 0.95)
    assert found == pytest.approx(
        np.array([[12.706, 4.303, 3.182, 2.228], [2.042, 1.980, 1.960, 1.960]]), abs=5e-4
    )
    assert t_quantile(4.0, 0.95).shape == ()
