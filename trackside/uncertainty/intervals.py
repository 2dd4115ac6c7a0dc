"""Intervals over topics: their conditions, the ends of many at once, and the jackknife of smooth statistics.

Estimand: the statistic on very many topics of this kind, with the same runs. Coverage: docs/simulations.md,
"agreement". Not for ranks of runs, which are discrete.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.statistics.estimate import Interval, IntervalMethod, Reason
from trackside.uncertainty.student import QUANTILES

LEVEL = 0.95
Matrices = TypeVar("Matrices", Ints, Floats)

FEWEST_TOPICS = 10
"""Fewest topics of an interval over topics: with fewer, no method has a coverage of 93 %."""

FEWEST_TOPICS_FOR_SHARE = 50
"""Fewest topics for kappa, overlap and precision at a cut above the lowest, and for recall at the lowest."""

FEWEST_TOPICS_FOR_RECALL = 150
"""Fewest topics for recall at a cut above the lowest, accuracy on the best grade and the mean over grades.

In TREC DL 2020 one topic of 54 has most items of the best grade. With fewer than 150 topics, a sample without
such a topic has an interval that excludes the truth, and no sign of it in the data: at 75 topics intervals of
judges of DL 2020 cover 90 to 93 %, at 150 they cover 95 to 96 %.
"""

REASONS = {
    FEWEST_TOPICS: Reason.TOO_FEW_TOPICS,
    FEWEST_TOPICS_FOR_SHARE: Reason.TOO_FEW_TOPICS_FOR_SHARE,
    FEWEST_TOPICS_FOR_RECALL: Reason.TOO_FEW_TOPICS_FOR_RECALL,
}
"""Reason of a missing interval, by the number of topics that it needs."""


def t_quantile(freedom: Floats | float, level: float = LEVEL) -> Floats:
    """Student's t quantile of two-sided intervals, of any shape; the normal's for infinite freedom."""
    freedoms = np.asarray(freedom, dtype=np.float64)
    is_normal = np.isposinf(freedoms)
    is_tabled = (freedoms >= 1) & (freedoms < len(QUANTILES)) & (freedoms == np.floor(freedoms))
    if level == LEVEL and (is_normal | is_tabled).all():
        return np.array(QUANTILES)[np.where(is_normal, 0, freedoms).astype(np.int64)]
    from scipy.special import stdtrit  # takes longer to load than scoring a dozen runs

    return np.asarray(stdtrit(freedoms, (1 + level) / 2), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Ends:
    """Ends of intervals over new topics, one entry per row; NaN with a reason if there is no interval."""

    low: Floats
    high: Floats
    reasons: tuple[Reason | None, ...]
    methods: tuple[IntervalMethod, ...]

    @property
    def intervals(self) -> list[Interval]:
        """One `Interval` per row."""
        return [self.interval(row) for row in range(len(self.reasons))]

    def interval(self, row: int) -> Interval:
        """The interval of one row."""
        reason, method = self.reasons[row], self.methods[row]
        low, high = (None, None) if reason else (float(self.low[row]), float(self.high[row]))
        return Interval(low, high, LEVEL, reason, method)


def ends_of(
    low: Floats, high: Floats, failures: list[tuple[Flags, Reason]], *, methods: Sequence[IntervalMethod]
) -> Ends:
    """Build the ends, with NaN in the rows that a failure flags; a row's reason is its first failure."""
    reasons: list[Reason | None] = [None] * len(low)
    failed = np.zeros(len(low), dtype=np.bool_)
    for flags, reason in failures:
        for row in np.flatnonzero(flags & ~failed):
            reasons[row] = reason
        failed |= flags
    low, high = (np.where(failed, np.nan, end) for end in (low, high))
    return Ends(low, high, tuple(reasons), tuple(methods))


ErrorScale = Literal["plain", "share", "correlation"]
"""Scale of the standard error: the value, its log odds (0 to 1), or Fisher's z (-1 to 1)."""

LEAST_FREEDOM = 2.0
_SAME = 1e-12


def means_without_each(values: Floats) -> Floats:
    """Means of (runs, topics) values with each topic left out once, as (topics, runs)."""
    means: Floats = ((values.sum(axis=1, keepdims=True) - values) / (values.shape[1] - 1)).T
    return means


def matrices_without_each(matrices: Matrices) -> Matrices:
    """Sums of (topics, grades, grades) confusion matrices with each topic left out once; the same shape."""
    sums: Matrices = matrices.sum(axis=0) - matrices
    return sums


def jackknife_error(left_out: Floats) -> float:
    """The jackknife's standard error of one statistic, from its values without each topic or team."""
    n = left_out.size
    return float(np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()))


def jackknife_ends(
    values: Floats, left_out: Floats, *, scale: ErrorScale = "plain", fewest: int = FEWEST_TOPICS
) -> Ends:
    """Intervals of statistics: `values` of all topics (rows), `left_out` with each left out (rows, topics).

    Value plus and minus t standard errors on the scale. The error is the jackknife's (Tukey 1958; Efron and
    Tibshirani 1993, chapter 11). The degrees of freedom follow from the kurtosis of the topics' influence
    (Satterthwaite: 2 T / (kurtosis - 1), between 2 and T - 1), because the error is uncertain if few topics
    dominate. There is no interval for fewer than `fewest` topics (a key of `REASONS`), if a value is
    NaN, and if all topics have the same influence.
    """
    error, degrees = _error_and_freedom(left_out)
    low, high = on_scale(values, t_quantile(degrees) * error, scale)
    failures = [
        *(
            (np.full(len(values), left_out.shape[1] < few), REASONS[few])
            for few in sorted({FEWEST_TOPICS, fewest})
        ),
        (np.isnan(values) | np.isnan(left_out).any(axis=1), Reason.HANGS_ON_ONE_TOPIC),
        (error <= _SAME, Reason.NO_VARIATION),
    ]
    return ends_of(low, high, failures, methods=[IntervalMethod.JACKKNIFE] * len(values))


def jackknife_interval(
    value: float, left_out: Floats, *, scale: ErrorScale = "plain", fewest: int = FEWEST_TOPICS
) -> Interval:
    """`jackknife_ends` of one statistic."""
    return jackknife_ends(np.array([value]), left_out[None], scale=scale, fewest=fewest).interval(0)


def _error_and_freedom(left_out: Floats) -> tuple[Floats, Floats]:
    """Jackknife standard error of each row, and its degrees of freedom."""
    topics = left_out.shape[1]
    if topics < 2:
        return np.zeros(len(left_out)), np.ones(len(left_out))
    influence = left_out - left_out.mean(axis=1, keepdims=True)
    squares = (influence**2).sum(axis=1)
    error: Floats = np.sqrt((topics - 1) / topics * squares)
    if topics < 4:
        return error, np.full(len(left_out), topics - 1.0)
    fourth = (influence**4).sum(axis=1)
    kurtosis = topics * np.divide(fourth, squares**2, out=np.full(len(left_out), np.nan), where=squares > 0)
    excess = (topics - 1) / ((topics - 2) * (topics - 3)) * ((topics + 1) * kurtosis - 3 * (topics - 1))
    with np.errstate(divide="ignore"):
        degrees = 2 * topics / np.maximum(excess + 2, 0.0)  # kurtosis - 1
    return error, np.clip(np.nan_to_num(degrees, nan=1.0, posinf=np.inf), LEAST_FREEDOM, topics - 1.0)


def on_scale(values: Floats, half_width: Floats, scale: ErrorScale) -> tuple[Floats, Floats]:
    """Ends of `values` plus and minus `half`, which is on the plain scale, by the delta method."""
    if scale == "plain":
        return values - half_width, values + half_width
    lowest, highest = (0.0, 1.0) if scale == "share" else (-1.0, 1.0)
    is_inside = (values > lowest) & (values < highest)
    share = np.where(is_inside, (values - lowest) / (highest - lowest), 0.5)
    centre = np.log(share / (1 - share))
    step = half_width / (highest - lowest) / (share * (1 - share))
    with np.errstate(over="ignore"):  # the exponential is infinite at a bound
        low, high = (lowest + (highest - lowest) / (1 + np.exp(-(centre + sign * step))) for sign in (-1, 1))
    at_edge = np.clip(values - half_width, lowest, highest), np.clip(values + half_width, lowest, highest)
    low = np.where(is_inside, low, np.minimum(at_edge[0], values))
    return low, np.where(is_inside, high, np.maximum(at_edge[1], values))
