"""Percentile bootstrap: draw topics, or runs, again and again, and see how far a statistic moves.

Topics are drawn, not items: grades of one topic depend on each other, and an interval that forgets it is
about five times too narrow.
"""

from collections.abc import Callable

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.estimate import Estimate, Interval, Reason

REPLICATES = 2_000
"""Samples unless told otherwise: a tail of 2.5 % is then met to within 0.35 points (standard error)."""

FEWEST_TOPICS = 2
"""To resample: every sample of one topic is that topic, and says nothing of the spread."""

MOST_UNDEFINED = 0.5
"""With a larger share of samples in which the statistic is undefined, there is no interval."""


def draw_counts(n: int, *, seed: int, replicates: int = REPLICATES) -> Ints:
    """How often each of n places is drawn in each sample of n with replacement, as (replicates, n)."""
    drawn = np.random.default_rng(seed).integers(0, n, size=(replicates, n))
    offsets = np.arange(replicates)[:, None] * n
    return np.bincount((drawn + offsets).ravel(), minlength=replicates * n).reshape(replicates, n)


def sampled_means(values: Floats, counts: Ints) -> Floats:
    """Mean of each run over each sample of topics: (runs, topics) values give (replicates, runs)."""
    # numpy multiplies floats by BLAS, and integers ten times more slowly.
    means: Floats = counts.astype(np.float64) @ values.T / values.shape[1]
    return means


def sampled_matrices(matrices: Ints, counts: Ints) -> Ints:
    """Sum of the topics' confusion matrices, (topics, k, k), in each sample: (replicates, k, k)."""
    sums: Ints = np.einsum("bt,tij->bij", counts, matrices)
    return sums


def topic_interval(
    x: Floats,
    y: Floats,
    statistic: Callable[[Floats, Floats], Floats],
    *,
    seed: int,
    replicates: int = REPLICATES,
    level: float = 0.95,
) -> Interval:
    """Interval over topics of a statistic of two sets of run means.

    `x` and `y` are values as (runs, topics) under two qrels; each sample draws the same topics for both.
    `statistic` takes the means as two (replicates, runs) arrays and gives NaN where it is undefined.
    """
    counts = draw_counts(x.shape[1], seed=seed, replicates=replicates)
    return percentile_interval(statistic(sampled_means(x, counts), sampled_means(y, counts)), level=level)


def run_interval(
    x: Floats,
    y: Floats,
    statistic: Callable[[Floats, Floats], Floats],
    *,
    seed: int,
    replicates: int = REPLICATES,
    level: float = 0.95,
) -> Interval:
    """Interval over runs of a statistic of two vectors of run means: each sample draws runs, so some twice.

    A run drawn twice is tied with itself, which pulls tau-b's samples up a little.
    """
    drawn = np.random.default_rng(seed).integers(0, x.size, size=(replicates, x.size))
    return percentile_interval(statistic(x[drawn], y[drawn]), level=level)


def percentile_interval(samples: Floats, *, level: float = 0.95) -> Interval:
    """The middle `level` of the samples that are defined; undefined when more than half are not."""
    known = samples[~np.isnan(samples)]
    if not known.size or known.size < (1 - MOST_UNDEFINED) * samples.size:
        return Interval.undefined(Reason.NO_REPLICATES, level)
    low, high = np.quantile(known, ((1 - level) / 2, (1 + level) / 2))
    return Interval(float(low), float(high), level)


def difference_p(samples: Floats) -> Estimate:
    """Two-sided p of a difference from its bootstrap samples: twice the smaller share on a side of zero.

    Zero counts to both sides, and the observed difference as one sample more, so that p is never 0 (Davison
    and Hinkley 1997, 4.4). Undefined where the interval is.
    """
    known = samples[~np.isnan(samples)]
    if not known.size or known.size < (1 - MOST_UNDEFINED) * samples.size:
        return Estimate.undefined(Reason.NO_REPLICATES)
    fewer = min(np.count_nonzero(known <= 0), np.count_nonzero(known >= 0))
    return Estimate.of(min(1.0, 2 * (fewer + 1) / (known.size + 1)))
