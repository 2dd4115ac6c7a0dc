"""Estimate totals under people's grades from a model's values of all units and people's of a random sample.

A unit is a topic or a pair of topic and document, and has a share in the total: for a run's mean over N
topics, its value on a topic over N, or what a pair adds to that value over N; for the difference of two runs,
the difference of their shares. People's total follows from a regression on the model's shares: a model that
says nothing costs a degree of freedom, and one that is lenient to all units biases nothing.

Sources: Angelopoulos, Duchi and Zrnic 2023 (prediction-powered inference with a tuned weight); Cochran 1977,
chapter 7 (regression estimator of a finite set); Hajek 1964 (samples of fixed size with unequal chances);
MacKinnon and White 1985 (residuals left out); Satterthwaite 1946 (degrees of freedom).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints, value_or_none
from trackside.statistics.estimate import Estimate, Interval, IntervalMethod, Reason
from trackside.statistics.ranks import TIE, most_common_counts

LEVEL = 0.95
FEWEST = 20
"""Fewest drawn units of an interval, unless all are drawn: with fewer, coverage for AP is below 93 %."""
INFORMATIVE = 6
"""Fewest drawn units that differ from the most frequent share; with fewer, a rare value may be missed."""
_FULL = 1 - 1e-9  # leverage of a unit that alone sets the slope
_FLAT = 1e-12  # share of the sum of squares up to which all drawn units have the same model share


@dataclass(frozen=True, slots=True)
class EstimatedTotals:
    """Estimates and the ends of their 95 % intervals, of equal shape; ends are NaN without an interval.

    ``lacking`` is the reason for all missing intervals.
    """

    estimate: Floats
    low: Floats
    high: Floats
    lacking: Reason

    def intervals(self) -> Iterator[tuple[Estimate, Interval]]:
        """Yield each estimate with its interval."""
        ends = zip(self.low.ravel().tolist(), self.high.ravel().tolist(), strict=True)
        for value, (low, high) in zip(self.estimate.ravel().tolist(), ends, strict=True):
            reason = self.lacking if np.isnan(low) else None
            known = value_or_none(low), value_or_none(high)
            yield Estimate.of(value), Interval(*known, LEVEL, reason, IntervalMethod.REGRESSION)


def powered_totals(
    people: Floats, model: Floats, model_totals: Floats, *, chances: Floats
) -> EstimatedTotals:
    """Estimate people's totals over all units from people's and the model's shares of the drawn units.

    ``people`` and ``model`` are (..., n), ``model_totals`` (...) is over all units, ``chances`` (n) are those
    of each unit to be drawn into the sample, whose size is fixed: n / N for a sample of n among N. The half
    width is Student's t times the square root of the sum of (1 - chance) (w e / (1 - h)) squared: residuals
    of the regression without the unit, times the unit's weight in the estimate. Of n - 2 degrees of freedom
    at most half count, and fewer if few units have most of the variance. There is no interval below `FEWEST`
    units, or if fewer than `INFORMATIVE` differ from the most frequent share.
    """
    open_share = 1 - chances
    scaled, guessed = people / chances, model / chances
    mean, model_mean = _centre(scaled, open_share), _centre(guessed, open_share)
    deviation, spread = scaled - mean[..., None], guessed - model_mean[..., None]
    squares = (open_share * spread**2).sum(axis=-1)
    is_varied = squares > _FLAT * np.maximum((open_share * guessed**2).sum(axis=-1), 1e-300)
    inverse = np.divide(1.0, squares, out=np.zeros_like(squares), where=is_varied)
    slope = (open_share * spread * deviation).sum(axis=-1) * inverse
    shift = model_totals - guessed.sum(axis=-1)
    residual = deviation - slope[..., None] * spread
    leverage = open_share * (1 / max(open_share.sum(), 1e-300) + spread**2 * inverse[..., None])
    left_out = np.divide(residual, 1 - leverage, out=np.zeros_like(residual), where=leverage < _FULL)
    weight = 1 + open_share * spread * (shift * inverse)[..., None]
    informative = np.minimum.reduce([_off_mode(shares) for shares in (people, residual, people - model)])
    half, lacking = _half(open_share * (weight * left_out) ** 2, 1 + is_varied, chances, informative)
    estimate = scaled.sum(axis=-1) + slope * shift
    return EstimatedTotals(estimate, estimate - half, estimate + half, lacking)


def _centre(values: Floats, weights: Floats) -> Floats:
    centre: Floats = (weights * values).sum(axis=-1) / max(weights.sum(), 1e-300)
    return centre


def _off_mode(values: Floats) -> Ints:
    """Count the values on the last axis that differ from the most frequent one."""
    counts: Ints = values.shape[-1] - most_common_counts(values, tie=TIE)
    return counts


def _half(parts: Floats, fitted: Ints, chances: Floats, informative: Ints) -> tuple[Floats, Reason]:
    """Half the width of each interval from the units' parts of the variance, NaN where there is none."""
    from scipy.special import stdtrit

    n, variance = int((chances < 1).sum()), parts.sum(axis=-1)
    if not n:
        return np.zeros_like(variance), Reason.TOO_FEW_GRADED_DIFFERING
    if n < FEWEST:
        return np.full_like(variance, np.nan), Reason.TOO_FEW_GRADED_TOPICS
    tail = (parts**2).sum(axis=-1) - variance**2 / n  # 2 / its ratio to variance^2 are the degrees of freedom
    by_parts = np.divide(2 * variance**2, tail, out=np.full_like(variance, n), where=tail > 0)
    freedom = np.clip(np.minimum((n - fitted) / 2, by_parts), 1, None)
    half = np.asarray(stdtrit(freedom, (1 + LEVEL) / 2) * np.sqrt(variance), np.float64)
    return np.where(informative < INFORMATIVE, np.nan, half), Reason.TOO_FEW_GRADED_DIFFERING
