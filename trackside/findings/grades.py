"""Does the judge grade pairs as people do?"""

from collections.abc import Mapping

from trackside.arrays import Floats, Ints
from trackside.findings.results import GradeFinding
from trackside.statistics.agreement import MatrixStatistic, coefficients, estimate_of
from trackside.statistics.estimate import Interval, Number, Reason
from trackside.uncertainty.intervals import (
    FEWEST_TOPICS,
    FEWEST_TOPICS_FOR_RECALL,
    FEWEST_TOPICS_FOR_SHARE,
    LEVEL,
    ErrorScale,
    jackknife_interval,
    matrices_without_each,
)


def grade_finding(matrices: Ints, scale: tuple[int, ...]) -> GradeFinding:
    """Compare two sets of grades by their confusion matrices [topic, people, judge] of the shared pairs."""
    statistics, nonempty = coefficients(scale), _nonempty(matrices)
    kappa, leniency = (_number(name, statistics[name], nonempty, scale) for name in ("kappa", "leniency"))
    return GradeFinding(
        pair_count=int(matrices.sum()),
        topic_count=int(matrices.any(axis=(1, 2)).sum()),
        kappa=kappa.value,
        low=kappa.low,
        high=kappa.high,
        leniency=leniency.value,
        leniency_low=leniency.low,
        leniency_high=leniency.high,
        reason=kappa.reason or kappa.missing,
    )


SHARES = ("same grade", "overlap", "precision", "recall")
PLAIN = ("leniency", "mean absolute error")
UNCOVERED = ("ceiling of kappa",)
"""Statistics without an interval: the slope of the ceiling changes where the two judges' shares of a grade
cross, and its interval covers 91 % at ten topics."""


def agreement_numbers(
    by_topic: Ints, grades: tuple[int, ...], statistics: Mapping[str, MatrixStatistic] | None = None
) -> dict[str, Number]:
    """Coefficients by name, with intervals over new topics, of matrices [topic, first, second].

    Kappa of a side that gave one grade is undefined: its formula gives 0 whatever the other side gave.
    """
    nonempty = _nonempty(by_topic)
    statistics = coefficients(grades) if statistics is None else statistics
    numbers = {name: _number(name, statistic, nonempty, grades) for name, statistic in statistics.items()}
    if len(nonempty) and is_one_sided(nonempty.sum(axis=0)):
        kappas = [name for name in numbers if name.split(",")[0] == "kappa"]
        numbers |= dict.fromkeys(kappas, Number(None, Reason.CONSTANT_GRADES))
    return numbers


def _nonempty(by_topic: Ints) -> Ints:
    return by_topic[by_topic.any(axis=(1, 2))]


def _number(name: str, statistic: MatrixStatistic, by_topic: Ints, grades: tuple[int, ...]) -> Number:
    """A coefficient of the summed matrices, with its jackknife interval over topics."""
    estimate = estimate_of(statistic, by_topic.sum(axis=0))
    if estimate.value is None:
        return Number.of(estimate)
    if name in UNCOVERED:
        return Number.of(estimate, Interval.undefined(Reason.NOT_COVERED, LEVEL))
    scale, fewest = interval_scale(name, grades)
    left_out = statistic(matrices_without_each(by_topic))
    return Number.of(estimate, jackknife_interval(estimate.value, left_out, scale=scale, fewest=fewest))


def is_one_sided(matrix: Ints | Floats) -> bool:
    """Whether one side gave at most one grade, by a confusion matrix."""
    return min(int((matrix.sum(axis=axis) > 0).sum()) for axis in (0, 1)) < 2


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
