"""Is one run better than another over the same topics? Paired tests and effect sizes of `differences`."""

from dataclasses import dataclass
from functools import lru_cache
from math import comb, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Flags, Floats, paired
from trackside.statistics.estimate import Estimate, Interval, Reason

MOST_EXACT = 200_000
"""Most arrangements of an exact test."""

DRAWS = 20_000
"""Random arrangements of a sampled test: the standard error of p = 0.05 is 0.0015."""

ROUNDING = 1e-10
"""Statistics within this distance of the observed one are equal: sums in another order differ by 1e-14."""

DECIMALS = 10
"""Decimals of rounded differences; rounding makes 0.3 - 0.2 and 0.2 - 0.1 equal."""


def differences(a: ArrayLike, b: ArrayLike) -> Floats:
    """a minus b on each topic, rounded to 10 decimals."""
    left, right = paired(a, b)
    return np.round(left - right, DECIMALS)


@dataclass(frozen=True, slots=True)
class TTest:
    """Student's paired t, its two-sided p and the interval of the mean difference."""

    t: Estimate
    p: Estimate
    interval: Interval


def t_test(d: Floats, *, level: float = 0.95) -> TTest:
    """Paired t-test; undefined for fewer than two topics and if all differences are equal."""
    from scipy.special import stdtr, stdtrit

    reason = Reason.TOO_FEW if d.size < 2 else Reason.NO_SPREAD if not np.ptp(d) else None
    if reason is not None:
        nothing = Estimate.undefined(reason)
        return TTest(nothing, nothing, Interval.undefined(reason, level))
    error = d.std(ddof=1) / sqrt(d.size)
    t = d.mean() / error
    half_width = error * stdtrit(d.size - 1, (1 + level) / 2)
    interval = Interval(float(d.mean() - half_width), float(d.mean() + half_width), level)
    return TTest(Estimate.of(t), Estimate.of(2 * stdtr(d.size - 1, -abs(t))), interval)


@dataclass(frozen=True, slots=True)
class WilcoxonTest:
    """Wilcoxon's signed rank test: the sum of ranks of positive differences and three two-sided p."""

    v: Estimate
    exact: Estimate
    normal: Estimate
    corrected: Estimate

    @property
    def p(self) -> Estimate:
        """The exact p if defined, else the normal one with continuity correction, as in R."""
        return self.corrected if self.exact.value is None else self.exact


def wilcoxon_test(d: Floats) -> WilcoxonTest:
    """Wilcoxon's signed rank test without the topics that do not differ; undefined if none differs."""
    from scipy.stats import rankdata, wilcoxon  # scipy.stats is slow to load

    changed = d[d != 0]
    if not changed.size:
        nothing = Estimate.undefined(Reason.NO_SPREAD)
        return WilcoxonTest(nothing, nothing, nothing, nothing)
    v = Estimate.of(rankdata(np.abs(changed))[changed > 0].sum())
    normal, corrected = (
        Estimate.of(float(wilcoxon(changed, method="approx", correction=is_corrected).pvalue))
        for is_corrected in (False, True)
    )
    if np.unique(np.abs(changed)).size < d.size:  # ties or zeros
        return WilcoxonTest(v, Estimate.undefined(Reason.TIES), normal, corrected)
    return WilcoxonTest(v, Estimate.of(float(wilcoxon(changed, method="exact").pvalue)), normal, corrected)


@dataclass(frozen=True, slots=True)
class SignTest:
    """Topics won, tied and lost, and the exact two-sided p of the wins among those that differ."""

    wins: int
    ties: int
    losses: int
    p: Estimate


def sign_test(d: Floats) -> SignTest:
    """Sign test; its p is undefined if no topic differs."""
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    n = wins + losses
    if not n:
        return SignTest(0, d.size, 0, Estimate.undefined(Reason.NO_SPREAD))
    tail = sum(comb(n, k) for k in range(min(wins, losses) + 1)) / 2**n
    return SignTest(wins, d.size - n, losses, Estimate.of(min(1.0, 2 * tail)))


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A two-sided permutation p, and whether every arrangement was tried."""

    p: Estimate
    is_exact: bool


def two_sided(observed: float, others: Floats, *, is_exact: bool) -> PermutationTest:
    """Two-sided p of `observed`: the share of the arrangements' statistics at least as far from zero.

    A sample also counts the observed arrangement, so that p is never 0 (Phipson and Smyth 2010).
    """
    reached = int(np.count_nonzero(np.abs(others) >= abs(observed) - ROUNDING))
    sampled = int(not is_exact)
    return PermutationTest(Estimate.of((reached + sampled) / (len(others) + sampled)), is_exact)


@lru_cache(maxsize=16)
def sign_flips(n: int, *, seed: int, draws: int = DRAWS) -> tuple[Flags, bool]:
    """Ways to flip the signs of n differences, as read-only rows of flags, and whether these are all."""
    is_exact = 2**n <= MOST_EXACT
    if is_exact:
        rows = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 == 1
    else:
        rows = np.random.default_rng(seed).random((draws, n)) < 0.5
    rows.flags.writeable = False
    return rows, is_exact


def randomisation_test(d: Floats, *, seed: int, draws: int = DRAWS) -> PermutationTest:
    """Fisher's randomisation test of the mean difference, with random signs of each topic's difference.

    Exact up to 200,000 arrangements (17 topics), else a sample of `draws`; undefined without topics.
    """
    if not d.size:
        return PermutationTest(Estimate.undefined(Reason.EMPTY), is_exact=True)
    rows, is_exact = sign_flips(d.size, seed=seed, draws=draws)
    return two_sided(d.mean(), (d.sum() - 2 * (rows @ d)) / d.size, is_exact=is_exact)


@dataclass(frozen=True, slots=True)
class EffectSize:
    """The mean difference in standard deviations of the differences (d_z), and Hedges' less biased g_z."""

    d_z: Estimate
    g_z: Estimate


def effect_size(d: Floats) -> EffectSize:
    """Cohen's d_z and Hedges' g_z = d_z (1 - 3 / (4 (n - 1) - 1)); undefined where nothing varies."""
    if d.size < 2 or not d.any():
        nothing = Estimate.undefined(Reason.TOO_FEW if d.size < 2 else Reason.NO_SPREAD)
        return EffectSize(nothing, nothing)
    if not np.ptp(d):
        return EffectSize(Estimate.of(inf * np.sign(d[0])), Estimate.undefined(Reason.NO_SPREAD))
    d_z = d.mean() / d.std(ddof=1)
    return EffectSize(Estimate.of(d_z), Estimate.of(d_z * (1 - 3 / (4 * (d.size - 1) - 1))))
