"""Intervals of coefficients that compare two orders of the same runs, and the noise ceiling of a coefficient.

Estimand: the coefficient expected on as many other topics of this kind, with the same runs. It is not the
coefficient with infinitely many topics, which is higher and which no tested interval covers
(docs/simulations.md, "ranks"). The estimate is unbiased for the first and too low for the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.statistics.estimate import Estimand, Estimate, Interval, Method, Reason
from evaluation.core.uncertainty.ends import FEWEST_TOPICS, LEVEL, t_quantile
from evaluation.core.uncertainty.jackknife import Difference, t_p

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.arrays import Floats

HALVES = 200
"""Random halves of the topics: the mean over them has a standard error of about 0.005 for tau."""

MOST_UNDEFINED = 0.5
"""Largest share of resamples with an undefined coefficient for which there is an interval."""

DISCRETE = frozenset({"first run", "top 5", "largest drop"})
"""Statistics with so few possible values that no interval covers; they have no interval."""

_SAME = 1e-12


def rank_interval(
    value: Estimate,
    samples: Floats,
    topics: int,
    *,
    bounds: tuple[float, float] | None = (-1.0, 1.0),
    level: float = LEVEL,
) -> Interval:
    """The coefficient plus and minus t standard deviations of its resamples.

    `samples` are the coefficient in resamples of the topics, the same ones for both sets of qrels. Their
    percentiles are too low, because a resample has the noise of the topics twice; only their spread is used,
    so that the coefficient is always inside its interval. Student's t has topics - 1 degrees of freedom.
    With `bounds`, the ends are computed on the arcsine's scale, because a coefficient varies less near its
    bounds: on the plain scale the interval of Pearson's r covers 87 % under some biased judges. There is no
    interval with fewer than ten topics, and if all resamples are equal.
    """
    failure = _failure(value, samples, topics)
    if failure is not None or value.value is None:
        return Interval(None, None, level, failure, Method.RESAMPLING, Estimand.AS_MANY_OTHER_TOPICS)
    half = float(t_quantile(topics - 1.0, level)) * _spread(samples)
    low, high = value.value - half, value.value + half
    if bounds is not None:
        low, high = _on_arcsine(value.value, half, float(np.nanmean(samples)), *bounds)
    return Interval(low, high, level, None, Method.RESAMPLING, Estimand.AS_MANY_OTHER_TOPICS)


def rank_difference(value: Estimate, samples: Floats, topics: int, *, level: float = LEVEL) -> Difference:
    """Interval and p of the difference of two judges' coefficients with people over the same topics.

    `samples` are the differences in the same resamples of topics. The null hypothesis is that both
    coefficients have the same expectation on as many other topics. The interval excludes zero exactly if p is
    below 1 - level.
    """
    interval = rank_interval(value, samples, topics, bounds=None, level=level)
    if interval.reason is not None or value.value is None:
        return Difference(interval, Estimate.undefined(interval.reason or Reason.EMPTY))
    return Difference(interval, t_p(value.value, _spread(samples), topics - 1.0))


@dataclass(frozen=True, slots=True)
class NoiseCeiling:
    """Reproducibility of people's order of the runs on other topics.

    `halves` is the mean coefficient between halves of the topics, `all_topics` the same extrapolated to two
    sets of the full number of topics.
    """

    halves: Estimate
    all_topics: Estimate


def noise_ceiling(
    values: Floats,
    statistic: Callable[[Floats, Floats], Floats],
    *,
    seed: int,
    is_tau: bool = True,
    draws: int = HALVES,
) -> NoiseCeiling:
    """The expected coefficient of people's own means over these topics and over as many other topics.

    `values` are (runs, topics) under people's grades; `statistic` takes two (rows, runs) arrays of means. The
    coefficient of halves is extrapolated by the Spearman-Brown formula; tau is first converted to the
    correlation of normal values, r = sin(pi tau / 2) (Greiner 1909). Undefined for fewer than ten topics, and
    if most halves have no coefficient. Accuracy: docs/simulations.md, "ceiling".
    """
    topics = values.shape[1]
    if topics < FEWEST_TOPICS:
        nothing = Estimate.undefined(Reason.TOO_FEW_TOPICS)
        return NoiseCeiling(nothing, nothing)
    half = topics // 2
    order = np.random.default_rng(seed).random((draws, topics)).argsort(axis=1)
    one = (order < half).astype(np.float64)
    two = ((order >= half) & (order < 2 * half)).astype(np.float64)
    found = statistic(one @ values.T / half, two @ values.T / half)
    if np.isnan(found).mean() > MOST_UNDEFINED:
        nothing = Estimate.undefined(Reason.NO_REPLICATES)
        return NoiseCeiling(nothing, nothing)
    mean = float(np.nanmean(found))
    return NoiseCeiling(Estimate.of(mean), Estimate.of(_stepped_up(mean, topics / half, is_tau=is_tau)))


def _stepped_up(coefficient: float, times: float, *, is_tau: bool) -> float:
    """Extrapolate to sets `times` as large; an odd function, because the coefficient may be negative."""
    r = float(np.sin(np.pi / 2 * coefficient)) if is_tau else coefficient
    stepped = times * r / (1 + (times - 1) * abs(r))
    return float(2 / np.pi * np.arcsin(stepped)) if is_tau else stepped


def _on_arcsine(
    value: float, half: float, resampled: float, least: float, most: float
) -> tuple[float, float]:
    """Ends of `value` plus and minus `half` by the delta method.

    The slope is that halfway between the value and the mean of its resamples, which is never at a bound.
    """
    middle, radius = (least + most) / 2, (most - least) / 2
    place, between = (np.clip((each - middle) / radius, -1, 1) for each in (value, (value + resampled) / 2))
    step = half / radius / float(np.sqrt(1 - between**2))
    angle = float(np.arcsin(place))
    low, high = max(angle - step, -np.pi / 2), min(angle + step, np.pi / 2)
    return middle + radius * float(np.sin(low)), middle + radius * float(np.sin(high))


def _failure(value: Estimate, samples: Floats, topics: int) -> Reason | None:
    if value.value is None:
        return value.reason
    if topics < FEWEST_TOPICS:
        return Reason.TOO_FEW_TOPICS
    if not samples.size or np.isnan(samples).mean() > MOST_UNDEFINED:
        return Reason.NO_REPLICATES
    return Reason.NO_VARIATION if _spread(samples) <= _SAME else None


def _spread(samples: Floats) -> float:
    known = samples[~np.isnan(samples)]
    return float(known.std(ddof=1)) if known.size > 1 else 0.0
