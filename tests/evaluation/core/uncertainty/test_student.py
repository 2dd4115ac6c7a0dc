"""Student's t quantile, against scipy and tables."""

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from evaluation.core.uncertainty.student import t_quantile


def test_quantiles_of_tables() -> None:
    # Abramowitz and Stegun, table 26.10, column .95.
    found = t_quantile(np.array([1.0, 2.0, 3.0, 10.0, 30.0, 120.0, np.inf]), 0.95)
    assert found == pytest.approx([12.706, 4.303, 3.182, 2.228, 2.042, 1.980, 1.960], abs=5e-4)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
def test_quantiles_are_those_of_scipy(level: float) -> None:
    freedom = np.concatenate((np.arange(1.0, 300), [1999.0, 2000.0, 2001.0, 5000.0, 1.5, 73.25]))
    assert t_quantile(freedom, level) == pytest.approx(stdtrit(freedom, (1 + level) / 2), rel=1e-11)
    assert float(t_quantile(np.inf, level)) == pytest.approx(ndtri((1 + level) / 2), rel=1e-13)


def test_quantiles_keep_the_shape() -> None:
    assert t_quantile(np.full((2, 3), 4.0), 0.95).shape == (2, 3)
    assert t_quantile(4.0, 0.95).shape == ()


def test_a_quantile_does_not_depend_on_those_beside_it() -> None:
    freedom = np.array([7.0, 7.5, np.inf])
    assert t_quantile(freedom, 0.95).tolist() == [float(t_quantile(each, 0.95)) for each in freedom.tolist()]
