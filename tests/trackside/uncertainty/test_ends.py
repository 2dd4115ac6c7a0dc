"""Student's t quantile, against tables."""

import numpy as np
import pytest

from trackside.uncertainty.ends import t_quantile


def test_quantiles_are_those_of_tables_in_any_shape() -> None:
    # Abramowitz and Stegun, table 26.10, column .95.
    found = t_quantile(np.array([[1.0, 2.0, 3.0, 10.0], [30.0, 120.0, np.inf, np.inf]]), 0.95)
    assert found == pytest.approx(
        np.array([[12.706, 4.303, 3.182, 2.228], [2.042, 1.980, 1.960, 1.960]]), abs=5e-4
    )
    assert t_quantile(4.0, 0.95).shape == ()
