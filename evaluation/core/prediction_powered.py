"""Means under people's grades, from all of a model's values and people's on some units drawn at random.

A unit is a topic, with a run's value of any measure on it, or a pair, with what it adds to a sum over pairs
(precision at 10: its gain, for pairs in a run's first ten). The model's value is known on all N units,
people's on the n drawn. People's mean follows from a regression on the model's values; a model that tells
nothing of people's values costs a degree of freedom and no more.

Sources: Angelopoulos, Duchi and Zrnic 2023 (prediction-powered inference with a tuned weight); Cochran 1977,
chapter 7 (the regression estimator of a finite set's mean); MacKinnon and White 1985 (residuals left out).
"""

from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Floats, Ints

LEAST = 4
"""Fewest units with people's values: two are spent on the line, and a spread needs two more."""
_FULL = 1 - 1e-9  # leverage of a unit that alone sets the slope
_FLAT = 1e-12  # of the squares' sum: the model gives every drawn unit one value


@dataclass(frozen=True, slots=True)
class EstimatedMeans:
    """Estimates and the ends of their intervals, of equal shape; no ends (NaN) with fewer than four units."""

    estimate: Floats
    low: Floats
    high: Floats


def powered_means(
    people: Floats, model: Floats, model_means: Floats, *, units: int, level: float = 0.95
) -> EstimatedMeans:
    """People's means over all ``units`` from people's and the model's values on those drawn.

    ``people`` and ``model`` are (..., n), ``model_means`` (...) is over all units. The half width is
    Student's t at n - 2 (n - 1 where the model gives every drawn unit one value) times the square root of
    (1 - n/N) times the sum of (w e / (1 - h)) squared: residuals as if each unit were left out, weighted by
    what the unit adds to the estimate. It needs no equal spread. Values mostly zero with a few large ones
    need more units: the table of coverage in README says how many.
    """
    n = people.shape[-1]
    mean, model_mean = people.mean(axis=-1), model.mean(axis=-1)
    spread = model - model_mean[..., None]
    squares = (spread**2).sum(axis=-1)
    tells = squares > _FLAT
    inverse = np.divide(1.0, squares, out=np.zeros_like(squares), where=tells)
    deviation = people - mean[..., None]
    slope = (spread * deviation).sum(axis=-1) * inverse
    shift = model_means - model_mean
    residual = deviation - slope[..., None] * spread
    leverage = 1 / n + spread**2 * inverse[..., None]
    left_out = np.divide(residual, 1 - leverage, out=np.zeros_like(residual), where=leverage < _FULL)
    weight = 1 / n + spread * (shift * inverse)[..., None]
    variance = (1 - n / units) * ((weight * left_out) ** 2).sum(axis=-1)
    return _with_ends(mean + slope * shift, variance, n, n - 1 - tells, level)


def plain_means(people: Floats, *, units: int, level: float = 0.95) -> EstimatedMeans:
    """People's means over all ``units`` from those drawn alone: Student's interval for a finite set."""
    n = people.shape[-1]
    mean = people.mean(axis=-1)
    squares = ((people - mean[..., None]) ** 2).sum(axis=-1)
    variance = squares / max(n - 1, 1) * (1 / n - 1 / units)
    return _with_ends(mean, variance, n, np.full(mean.shape, n - 1), level)


def _with_ends(estimate: Floats, variance: Floats, n: int, freedom: Ints, level: float) -> EstimatedMeans:
    from scipy.special import stdtrit

    if n < LEAST:
        nothing = np.full(estimate.shape, np.nan)
        return EstimatedMeans(estimate, nothing, nothing)
    half = np.asarray(stdtrit(freedom.astype(np.float64), (1 + level) / 2) * np.sqrt(variance), np.float64)
    return EstimatedMeans(estimate, estimate - half, estimate + half)
