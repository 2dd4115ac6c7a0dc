"""Estimate means under people's grades from a model's values on all units and people's on a random sample.

A unit is a topic. Its value is a run's value of any measure on it, or the difference of two runs' values.
The model's value is known on all N units, people's on the n drawn. People's mean follows from a regression on
the model's values. A model whose values do not correlate with people's costs one degree of freedom.

Sources: Angelopoulos, Duchi and Zrnic 2023 (prediction-powered inference with a tuned weight); Cochran 1977,
chapter 7 (the regression estimator of a finite set's mean); MacKinnon and White 1985 (residuals left out).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.statistics.estimate import Estimate, Interval, IntervalMethod, Reason
from trackside.statistics.ranks import TIE, most_common_counts

LEVEL = 0.95
FEWEST = 20
"""Fewest drawn units of an interval, unless all are drawn: with fewer, coverage for AP is below 93 %."""
INFORMATIVE = 6
"""Fewest drawn units that differ from the most frequent value; with fewer, a rare value may be missed."""
_FULL = 1 - 1e-9  # leverage of a unit that alone sets the slope
_FLAT = 1e-12  # sum of squares up to which all drawn units have the same model value


@dataclass(frozen=True, slots=True)
class EstimatedMeans:
    """Estimates and the ends of their intervals, of equal shape; ends are NaN where there is no interval.

    ``lacking`` is the reason for all missing intervals. Intervals are of the mean by
    people's grades of all.
    """

    estimate: Floats
    low: Floats
    high: Floats
    lacking: Reason
    method: IntervalMethod

    def intervals(self) -> Iterator[tuple[Estimate, Interval]]:
        """Yield each estimate with its interval, for one-dimensional arrays."""
        for value, low, high in zip(
            self.estimate.tolist(), self.low.tolist(), self.high.tolist(), strict=True
        ):
            is_lacking = math.isnan(low)
            interval = Interval(
                None if is_lacking else low,
                None if is_lacking else high,
                LEVEL,
                self.lacking if is_lacking else None,
                self.method,
            )
            yield Estimate.of(value), interval


def powered_means(people: Floats, model: Floats, model_means: Floats, *, units: int) -> EstimatedMeans:
    """Estimate people's means over all ``units`` from people's and the model's values on the drawn units.

    ``people`` and ``model`` are (..., n), ``model_means`` (...) is over all units. The half width is
    Student's t times the square root of (1 - n/N) times the sum of (w e / (1 - h)) squared: leave-one-out
    residuals, weighted by the unit's weight in the estimate. It does not assume equal variances.
    Student's t has half of the n - 2 degrees of freedom (of n - 1 if the model's value is the same on all
    drawn units): Satterthwaite's number for residuals of kurtosis 5 instead of a normal's 3, because
    residuals of AP have heavy tails. There is no interval below `FEWEST` units (TOO_FEW_GRADED_TOPICS), or if
    fewer than `INFORMATIVE` units differ from the most frequent value of people, of the residuals, or of
    people minus model (TOO_FEW_GRADED_DIFFERING).
    """
    n = people.shape[-1]
    mean, model_mean = people.mean(axis=-1), model.mean(axis=-1)
    spread = model - model_mean[..., None]
    squares = (spread**2).sum(axis=-1)
    is_varied = squares > _FLAT
    inverse = np.divide(1.0, squares, out=np.zeros_like(squares), where=is_varied)
    deviation = people - mean[..., None]
    slope = (spread * deviation).sum(axis=-1) * inverse
    shift = model_means - model_mean
    residual = deviation - slope[..., None] * spread
    leverage = 1 / n + spread**2 * inverse[..., None]
    left_out = np.divide(residual, 1 - leverage, out=np.zeros_like(residual), where=leverage < _FULL)
    weight = 1 / n + spread * (shift * inverse)[..., None]
    variance = (1 - n / units) * ((weight * left_out) ** 2).sum(axis=-1)
    informative = np.minimum.reduce([_off_mode(each) for each in (people, residual, people - model)])
    half, lacking = _half(variance, n - 1 - is_varied, n=n, units=units, informative=informative)
    estimate = mean + slope * shift
    ends = estimate - half, estimate + half
    return EstimatedMeans(estimate, *ends, lacking, IntervalMethod.REGRESSION)


def plain_means(people: Floats, *, units: int) -> EstimatedMeans:
    """Estimate people's means over all ``units`` from people's values alone, with the same interval rules."""
    n = people.shape[-1]
    mean = people.mean(axis=-1)
    squares = ((people - mean[..., None]) ** 2).sum(axis=-1)
    variance = squares / max(n - 1, 1) * (1 / n - 1 / units)
    freedom, informative = np.full(mean.shape, n - 1), _off_mode(people)
    half, lacking = _half(variance, freedom, n=n, units=units, informative=informative)
    return EstimatedMeans(mean, mean - half, mean + half, lacking, IntervalMethod.STUDENT)


def _off_mode(values: Floats) -> Ints:
    """Count the values on the last axis that differ from the most frequent one."""
    counts: Ints = values.shape[-1] - most_common_counts(values, tie=TIE)
    return counts


def _half(variance: Floats, freedom: Ints, *, n: int, units: int, informative: Ints) -> tuple[Floats, Reason]:
    """Half the width of each interval, NaN where there is none, and the reason for those."""
    from scipy.special import stdtrit

    if n == units:
        return np.zeros_like(variance), Reason.TOO_FEW_GRADED_DIFFERING
    if n < FEWEST:
        return np.full_like(variance, np.nan), Reason.TOO_FEW_GRADED_TOPICS
    half = np.asarray(stdtrit(freedom / 2, (1 + LEVEL) / 2) * np.sqrt(variance), np.float64)
    return np.where(informative < INFORMATIVE, np.nan, half), Reason.TOO_FEW_GRADED_DIFFERING
