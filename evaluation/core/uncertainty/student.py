"""Student's t quantile of two-sided intervals."""

import numpy as np

from evaluation.core.arrays import Floats


def t_quantile(freedom: Floats | float, level: float) -> Floats:
    """The quantile for an interval at this level, of any shape; the normal's for infinite freedom."""
    from scipy.special import stdtrit  # scipy is slow to load

    return np.asarray(stdtrit(freedom, (1 + level) / 2), dtype=np.float64)
