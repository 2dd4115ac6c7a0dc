"""Intervals of coefficients that compare two orders of the same runs, and the noise ceiling of a coefficient.

Estimand: the coefficient expected on equally many other topics of this kind, with the same runs. It is not
the coefficient with infinitely many topics, which is higher and which no tested interval covers
(docs/simulations.md, "ranks"). The estimate is unbiased for the first and too low for the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.statistics.estimate import Estimand, Estimate, Interval, IntervalMethod, Reason
from evaluation.core.uncertainty.ends import FEWEST_TOPICS, LEVEL
from evaluation.core.uncertainty.jackknife import jackknife_error
from evaluation.core.uncertainty.student import t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.arrays import Floats

HALVES = 200
"""Random halves of the topics: the mean over them has a standard error of about 0.005 for tau."""

MOST_UNDEFINED = 0.5
"""Largest share of resamples with an undefined coefficient for which there is an interval."""

DISCRETE = frozenset({"first run", "top 5", "largest drop"})
"""Statistics with so few possible values that no interval covers; they have no interval."""

UNCOVERED = frozenset({"rho"})
"""Coefficients whose interval covers up to 99 % near 1; they have no interval over topics."""

FEWEST_TOPICS_FOR_ORDER = 25
"""Fewest topics for an interval of `WIDE_BELOW`, and for one of the difference of two coefficients."""

WIDE_BELOW = frozenset({"tau_GAP", "weighted tau", "RBO"})
"""Coefficients whose interval covers 98 to 99 % at ten topics."""

SIMULATED_DIFFERENCES = frozenset({"tau"})
"""Coefficients whose difference of two judges has an interval. It has no p: the test rejects a true null
hypothesis in 1 to 7 % of tracks, not in 4 to 6 % (docs/simulations.md, "ranks-differences")."""

SLOPE, SMOOTH_SLOPE = 0.5, 0.25
"""Where the arcsine's slope is taken: this share of the way from the coefficient to its resamples' mean."""

_SAME = 1e-12


def rank_interval(
    value: Estimate,
    samples: Floats,
    topics: int,
    *,
    bounds: tuple[float, float] | None = (-1.0, 1.0),
    left_out: Floats | None = None,
    level: float = LEVEL,
) -> Interval:
    """The coefficient plus and minus t standard deviations of its resamples.

    `samples` are the coefficient in resamples of the topics, the same ones for both sets of qrels. Their
    percentiles are too low, because a resample has the noise of the topics twice; only their spread is used,
    so that the coefficient is always inside its interval. Student's t has topics - 1 degrees of freedom.
    With `bounds`, the ends are computed on the arcsine's scale, because a coefficient varies less near its
    bounds: on the plain scale the interval of Pearson's r covers 87 % under some biased judges. A smooth
    coefficient, such as r, is given with each topic left out, too (`left_out`): its error is the jackknife's,
    because resamples vary too little under a biased judge. There is no interval with fewer than ten topics,
    and if all resamples are equal.
    """
    is_smooth = left_out is not None and not np.isnan(left_out).any()
    error = jackknife_error(left_out) if left_out is not None and is_smooth else _spread(samples)
    failure = _failure(value, samples, topics, error)
    if failure is not None or value.value is None:
        return Interval(None, None, level, failure, IntervalMethod.RESAMPLING, Estimand.AS_MANY_OTHER_TOPICS)
    half = float(t_quantile(topics - 1.0, level)) * error
    low, high = value.value - half, value.value + half
    if bounds is not None:
        place = value.value + (SMOOTH_SLOPE if is_smooth else SLOPE) * (np.nanmean(samples) - value.value)
        low, high = _on_arcsine(value.value, half, float(place), *bounds)
    method = IntervalMethod.JACKKNIFE if is_smooth else IntervalMethod.RESAMPLING
    return Interval(low, high, level, None, method, Estimand.AS_MANY_OTHER_TOPICS)


def why_no_interval(name: str, topics: int) -> Reason | None:
    """Return why, by simulation, a coefficient has no interval over this number of topics, or None."""
    if name in DISCRETE:
        return Reason.DISCRETE
    if name in UNCOVERED:
        return Reason.NOT_COVERED
    is_wide = name in WIDE_BELOW and FEWEST_TOPICS <= topics < FEWEST_TOPICS_FOR_ORDER
    return Reason.TOO_FEW_TOPICS_FOR_ORDER if is_wide else None


def why_no_difference(name: str, topics: int) -> Reason | None:
    """`why_no_interval` for the difference of two judges' coefficients."""
    if name not in SIMULATED_DIFFERENCES:
        return Reason.NOT_SIMULATED
    is_wide = FEWEST_TOPICS <= topics < FEWEST_TOPICS_FOR_ORDER
    return Reason.TOO_FEW_TOPICS_FOR_ORDER if is_wide else None


def rank_difference(value: Estimate, samples: Floats, topics: int, *, level: float = LEVEL) -> Interval:
    """Interval of the difference of two judges' coefficients with people over the same topics.

    `samples` are the differences in the same resamples of topics.
    """
    return rank_interval(value, samples, topics, bounds=None, level=level)


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
    """The expected coefficient of people's own means over these topics and over equally many other topics.

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


def _on_arcsine(value: float, half: float, slope_at: float, least: float, most: float) -> tuple[float, float]:
    """Ends of `value` plus and minus `half` by the delta method, with the slope at a point within bounds."""
    middle, radius = (least + most) / 2, (most - least) / 2
    place, between = (np.clip((each - middle) / radius, -1, 1) for each in (value, slope_at))
    step = half / radius / float(np.sqrt(1 - between**2))
    angle = float(np.arcsin(place))
    low, high = max(angle - step, -np.pi / 2), min(angle + step, np.pi / 2)
    return middle + radius * float(np.sin(low)), middle + radius * float(np.sin(high))


def _failure(value: Estimate, samples: Floats, topics: int, error: float) -> Reason | None:
    if value.value is None:
        return value.reason
    if topics < FEWEST_TOPICS:
        return Reason.TOO_FEW_TOPICS
    if not samples.size or np.isnan(samples).mean() > MOST_UNDEFINED:
        return Reason.NO_REPLICATES
    return Reason.NO_VARIATION if error <= _SAME else None


def _spread(samples: Floats) -> float:
    known = samples[~np.isnan(samples)]
    return float(known.std(ddof=1)) if known.size > 1 else 0.0
