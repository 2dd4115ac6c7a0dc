"""Mean, standard error and skewness of rows of values, and Hall's interval of the mean."""

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.uncertainty.student import t_quantile

_SYMMETRIC = 1e-6


class Moments:
    """Count, mean, standard error and skewness of each row, over the topics with a value."""

    def __init__(self, values: Floats) -> None:
        known = ~np.isnan(values)
        self.n: Ints = known.sum(axis=1)
        n = np.maximum(self.n, 1).astype(np.float64)
        self.mean: Floats = np.where(known, values, 0.0).sum(axis=1) / n
        deviations = np.where(known, values - self.mean[:, None], 0.0)
        squares, cubes = (deviations**2).sum(axis=1), (deviations**3).sum(axis=1)
        variance = squares / np.maximum(n - 1, 1)
        self.error: Floats = np.sqrt(variance / n)
        spread = np.maximum(n - 1, 1) * np.maximum(n - 2, 1) * variance**1.5
        skewness = np.divide(n * cubes, spread, out=np.zeros_like(n), where=spread > 0)
        self._step = skewness / np.sqrt(n)

    def quantile(self, level: float) -> Floats:
        """Student's t quantile with one degree of freedom less than values."""
        return t_quantile(np.maximum(self.n - 1.0, 1.0), level)

    def hall_ends(self, level: float) -> tuple[Floats, Floats]:
        """Ends of Hall's interval of each mean."""
        q = self.quantile(level)
        low, high = (self.mean - self._without_skew(sign * q) * self.error for sign in (1, -1))
        return low, high

    def _without_skew(self, q: Floats) -> Floats:
        """Inverse of Hall's transformation: the quantile of the t statistic whose transform is q."""
        step = np.where(np.abs(self._step) < _SYMMETRIC, 1.0, self._step)
        found = (np.cbrt(1 + step * (q - step / 6)) - 1) * 3 / step
        transformed: Floats = np.where(np.abs(self._step) < _SYMMETRIC, q, found)
        return transformed
