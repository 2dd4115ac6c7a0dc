"""Coefficients of agreement with their intervals, from confusion matrices topic by topic."""

from collections.abc import Mapping

from trackside.arrays import Ints
from trackside.statistics.agreement.rows import MatrixStatistic, coefficients, estimate_of
from trackside.statistics.estimate import Interval, Number, Reason
from trackside.uncertainty.ends import (
    FEWEST_TOPICS,
    FEWEST_TOPICS_FOR_RECALL,
    FEWEST_TOPICS_FOR_SHARE,
    LEVEL,
)
from trackside.uncertainty.jackknife import ErrorScale, jackknife_interval, matrices_without_each

SHARES = ("same grade", "overlap", "precision", "recall")
PLAIN = ("leniency", "mean absolute error")
UNCOVERED = ("ceiling of kappa",)
"""Statistics without an interval: the slope of the ceiling changes where the two judges' shares of a grade
cross, and its interval covers 91 % at ten topics."""


def agreement_numbers(
    by_topic: Ints, grades: tuple[int, ...], statistics: Mapping[str, MatrixStatistic] | None = None
) -> dict[str, Number]:
    """Coefficients by name, with intervals over new topics, of matrices [topic, first, second]."""
    kept = by_topic[by_topic.any(axis=(1, 2))]
    wanted = coefficients(grades) if statistics is None else statistics
    return {
        name: Number.of(
            estimate_of(statistic, kept.sum(axis=0)), Interval.undefined(Reason.NOT_COVERED, LEVEL)
        )
        if name in UNCOVERED
        else _with_interval(statistic, kept, *interval_scale(name, grades))
        for name, statistic in wanted.items()
    }


def _with_interval(statistic: MatrixStatistic, by_topic: Ints, scale: ErrorScale, fewest: int) -> Number:
    """A coefficient of the summed matrices, with its jackknife interval from at least ``fewest`` topics."""
    found = estimate_of(statistic, by_topic.sum(axis=0))
    if found.value is None:
        return Number.of(found)
    left_out = statistic(matrices_without_each(by_topic))
    return Number.of(found, jackknife_interval(found, left_out, scale=scale, fewest=fewest))


def interval_scale(name: str, grades: tuple[int, ...]) -> tuple[ErrorScale, int]:
    """The scale of a coefficient's interval, and the fewest topics for one.

    A few topics have most items of the high grades. Coefficients at high cuts therefore need more topics, and
    recall, which divides by the number of these items, needs most.
    """
    scale: ErrorScale = "share" if name.startswith(SHARES) else "plain" if name in PLAIN else "correlation"
    is_high = any(name.endswith(f", {cut} or more") for cut in grades[2:])
    if name.startswith("recall"):
        return scale, FEWEST_TOPICS_FOR_RECALL if is_high else FEWEST_TOPICS_FOR_SHARE
    return scale, FEWEST_TOPICS_FOR_SHARE if is_high else FEWEST_TOPICS
