"""Means under people's grades, from all of a model's values and people's on some units drawn at random.

A unit is a topic, with a run's value of any measure on it, or a pair, with what it adds to a sum over pairs
(precision at 10: its gain, for pairs in a run's first ten). The model's value is known on all N units,
people's on the n drawn. People's mean follows from a regression on the model's values; a model that tells
nothing of people's values costs a degree of freedom and no more.

Sources: Angelopoulos, Duchi and Zrnic 2023 (prediction-powered inference with a tuned weight); Cochran 1977,
chapter 7 (the regression estimator of a finite set's mean); MacKinnon and White 1985 (residuals left out).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.correlation import kendall_tau_b_of_rows

REPLICATES = 200
SAME_ORDER = 0.9
"""The tau from which two orders of runs count as equivalent (Voorhees 2000)."""
_FULL = 1 - 1e-9  # leverage of a unit that alone sets the slope
_FLAT = 1e-12  # of the squares' sum: the model gives every drawn unit one value


@dataclass(frozen=True, slots=True)
class EstimatedMeans:
    """Means and the half widths of their intervals, of equal shape; NaN where n is too small for one."""

    means: Floats
    halves: Floats


@dataclass(frozen=True, slots=True)
class EffortPoint:
    """What people's values on n units tell, over draws: mean half width and median tau with all units' order.

    ``powered`` estimates take the model's values in, ``plain`` ones do without. NaN is undefined.
    """

    n: int
    powered_half: float
    plain_half: float
    powered_tau: float
    plain_tau: float


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
    freedom = n - 1 - tells
    return EstimatedMeans(
        mean + slope * shift, _half_widths(np.where(freedom > 0, variance, np.nan), freedom, level)
    )


def plain_means(people: Floats, *, units: int, level: float = 0.95) -> EstimatedMeans:
    """People's means over all ``units`` from those drawn alone: (..., n) values give (...)."""
    n = people.shape[-1]
    mean = people.mean(axis=-1)
    freedom = np.full(mean.shape, n - 1)
    variance = _variance(people - mean[..., None], freedom) * (1 / n - 1 / units)
    return EstimatedMeans(mean, _half_widths(variance, freedom, level))


def effort_curve(
    people: Floats, model: Floats, sizes: Sequence[int], *, seed: int, replicates: int = REPLICATES
) -> list[EffortPoint]:
    """What fewer units would have told: draws of each size from (runs, units) values that people judged.

    A replicate's smaller draw lies within its larger ones. Each size is from 1 to the number of units.
    """
    units = people.shape[1]
    orders = np.argsort(np.random.default_rng(seed).random((replicates, units)), axis=1)
    return [_effort(people, model, orders[:, :n]) for n in sizes]


def enough(points: Sequence[EffortPoint], *, tau: float = SAME_ORDER) -> int | None:
    """The smallest size from which on the powered estimates order the runs as all units do, or None."""
    found = None
    for point in sorted(points, key=lambda each: each.n, reverse=True):
        if not point.powered_tau >= tau:
            break
        found = point.n
    return found


def _effort(people: Floats, model: Floats, drawn: Ints) -> EffortPoint:
    units = people.shape[1]
    all_means = people.mean(axis=1)
    graded = people[:, drawn]
    powered = powered_means(graded, model[:, drawn], model.mean(axis=1)[:, None], units=units)
    plain = plain_means(graded, units=units)
    truth = np.broadcast_to(all_means, (len(drawn), len(all_means)))
    return EffortPoint(
        drawn.shape[1],
        float(powered.halves.mean()),
        float(plain.halves.mean()),
        _median(kendall_tau_b_of_rows(powered.means.T, truth)),
        _median(kendall_tau_b_of_rows(plain.means.T, truth)),
    )


def _variance(residuals: Floats, freedom: Ints) -> Floats:
    """Residual variance; NaN without a degree of freedom."""
    squares = (residuals**2).sum(axis=-1)
    return np.where(freedom > 0, squares / np.maximum(freedom, 1), np.nan)


def _half_widths(variance: Floats, freedom: Ints, level: float) -> Floats:
    from scipy.special import stdtrit

    quantiles = stdtrit(np.maximum(freedom, 1).astype(np.float64), (1 + level) / 2)
    return np.asarray(quantiles * np.sqrt(variance), np.float64)


def _median(taus: Floats) -> float:
    defined = taus[~np.isnan(taus)]
    return float(np.median(defined)) if defined.size else float("nan")
