"""How an assessor's seconds per judgment change with practice or fatigue."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats
from trackside.statistics.estimate import Estimate, Reason

RECENT = 1000
"""The last judgments of an assessor that describe the pace, so that pages need not read all."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds per judgment in order: their median, the medians of both halves, and the trend.

    `tau` is Mann and Kendall's trend (tau-b of seconds with order), `p` its two-sided p, exact without ties.
    """

    median: Estimate
    first_half: Estimate
    second_half: Estimate
    tau: Estimate
    p: Estimate


def pace(seconds: Sequence[float]) -> Pace:
    """Describe positive seconds in order of judging; the second half has one more if their number is odd.

    The trend is undefined for fewer than three judgments, and if all seconds are equal.
    """
    times = np.asarray(seconds, dtype=np.float64)
    half = times.size // 2
    halves = (_median(times[:half]), _median(times[half:]))
    if times.size < 3 or not np.ptp(times):
        undefined = Estimate.undefined(Reason.TOO_FEW if times.size < 3 else Reason.CONSTANT)
        return Pace(_median(times), *halves, undefined, undefined)
    return Pace(_median(times), *halves, *_mann_kendall(times))


EXACT_UP_TO = 100
"""Judgments up to this number get the exact p."""


def _mann_kendall(times: Floats) -> tuple[Estimate, Estimate]:
    from scipy.stats import kendalltau

    is_exact = np.unique(times).size == times.size <= EXACT_UP_TO
    trend = kendalltau(np.arange(times.size), times, method="exact" if is_exact else "asymptotic")
    return Estimate.of(float(trend.statistic)), Estimate.of(float(trend.pvalue))


def _median(times: Floats) -> Estimate:
    return Estimate.of(float(np.median(times))) if times.size else Estimate.undefined(Reason.EMPTY)
