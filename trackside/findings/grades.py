"""Does the judge grade pairs as people do, and as well as a second assessor?"""

from collections.abc import Mapping

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.findings.results import GradeFinding, SecondFinding, SecondTau
from trackside.findings.verdicts import GradeVerdict, Margins
from trackside.statistics.agreement import (
    MatrixStatistic,
    coefficients,
    estimate_of,
    kappa_of_matrices,
    kappa_of_matrix,
)
from trackside.statistics.correlation import kendall_tau_b, kendall_tau_b_of_rows
from trackside.statistics.estimate import Interval, Number, Reason
from trackside.uncertainty.intervals import (
    FEWEST_TOPICS,
    FEWEST_TOPICS_FOR_RECALL,
    FEWEST_TOPICS_FOR_SHARE,
    LEVEL,
    ErrorScale,
    jackknife_error,
    jackknife_interval,
    matrices_without_each,
    t_quantile,
)
from trackside.uncertainty.ranks import sampled_means

LEAST_SHARE = 0.9  # of the shared pairs that the second assessor graded: below it their orders do not compare
ONE_SIDED = 0.9  # two-sided level whose ends are one-sided at 95 %
_SAME = 1e-12
Ends = tuple[float | None, float | None]


def grade_finding(matrices: Ints, scale: tuple[int, ...]) -> GradeFinding:
    """Compare two sets of grades by their confusion matrices [topic, people, judge] of the shared pairs."""
    statistics = coefficients(scale)
    numbers = agreement_numbers(matrices, scale, {name: statistics[name] for name in ("kappa", "leniency")})
    kappa, leniency = numbers["kappa"], numbers["leniency"]
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


def no_second(reason: Reason) -> SecondFinding:
    """The finding without a second assessor, or without a pair that all three graded."""
    unsaid = GradeVerdict.NOT_SAID
    return SecondFinding(
        second=None, tau=SecondTau(verdict=unsaid, reason=reason), verdict=unsaid, reason=reason
    )


def second_finding(
    second: str, by_judge: Ints, by_second: Ints, scale: tuple[int, ...], *, tau: SecondTau, margins: Margins
) -> SecondFinding:
    """Compare the kappas of judge and second assessor, by matrices [topic, people, other] of their pairs."""
    kappa, second_kappa = (kappa_of_matrix(table.sum(axis=0), scale).value for table in (by_judge, by_second))
    left_out = [kappa_of_matrices(matrices_without_each(table), scale) for table in (by_judge, by_second)]
    difference = None if kappa is None or second_kappa is None else kappa - second_kappa
    ends, reason = _kappa_ends(difference, left_out[0] - left_out[1])
    return SecondFinding(
        second=second,
        pair_count=int(by_judge.sum()),
        topic_count=len(by_judge),
        kappa=kappa,
        second_kappa=second_kappa,
        difference=difference,
        low_difference=ends[0],
        high_difference=ends[1],
        tau=tau,
        verdict=_verdict(ends, margins.kappa),
        reason=reason,
    )


def _kappa_ends(difference: float | None, left_out: Floats) -> tuple[Ends, Reason | None]:
    if difference is None:
        return (None, None), Reason.CONSTANT_GRADES
    if left_out.size < FEWEST_TOPICS:
        return (None, None), Reason.TOO_FEW_TOPICS
    if np.isnan(left_out).any():
        return (None, None), Reason.HANGS_ON_ONE_TOPIC
    return _ends(difference, jackknife_error(left_out), left_out.size)


def _ends(difference: float, error: float, topics: int) -> tuple[Ends, Reason | None]:
    if error <= _SAME:
        return (None, None), Reason.NO_VARIATION
    half_width = float(t_quantile(topics - 1.0, ONE_SIDED)) * error
    return (difference - half_width, difference + half_width), None


def _verdict(ends: Ends, margin: float) -> GradeVerdict:
    low, high = ends
    if low is None or high is None:
        return GradeVerdict.NOT_SAID
    if low > -margin:
        return GradeVerdict.NOT_WORSE
    return GradeVerdict.WORSE if high < 0 else GradeVerdict.NOT_PRECISE


def second_tau(
    people: Floats, judge: Floats, second: Floats, *, counts: Ints, triple_share: float, margins: Margins
) -> SecondTau:
    """Compare tau(judge, people) with tau(second, people) by values [run, topic] on the pairs of all three.

    ``triple_share`` is the share of the pairs of people and judge that the second assessor graded.
    """
    topics = people.shape[1]
    if topics < FEWEST_TOPICS:
        return SecondTau(verdict=GradeVerdict.NOT_SAID, reason=Reason.TOO_FEW_TOPICS)
    if triple_share < LEAST_SHARE:
        return SecondTau(verdict=GradeVerdict.NOT_SAID, reason=Reason.SECOND_ASSESSOR_GRADED_A_PART)
    means = [values.mean(axis=1) for values in (people, judge, second)]
    judge_tau, own_tau = (kendall_tau_b(means[0], other) for other in means[1:])
    if judge_tau is None or own_tau is None:
        return SecondTau(verdict=GradeVerdict.NOT_SAID, reason=Reason.ALL_RUNS_EQUAL)
    samples = [sampled_means(values, counts) for values in (people, judge, second)]
    of_judge, of_second = (kendall_tau_b_of_rows(samples[0], other) for other in samples[1:])
    difference = judge_tau - own_tau
    ends, reason = _ends(difference, float(np.nanstd(of_judge - of_second, ddof=1)), topics)
    return SecondTau(
        judge_tau=judge_tau,
        second_tau=own_tau,
        difference=difference,
        low_difference=ends[0],
        high_difference=ends[1],
        verdict=_verdict(ends, margins.tau),
        reason=reason,
    )


SHARES = ("same grade", "overlap", "precision", "recall")
PLAIN = ("leniency", "mean absolute error")
UNCOVERED = ("ceiling of kappa",)
"""Statistics without an interval: the slope of the ceiling changes where the two judges' shares of a grade
cross, and its interval covers 91 % at ten topics."""


def agreement_numbers(
    by_topic: Ints, grades: tuple[int, ...], statistics: Mapping[str, MatrixStatistic] | None = None
) -> dict[str, Number]:
    """Coefficients by name, with intervals over new topics, of matrices [topic, first, second]."""
    nonempty = by_topic[by_topic.any(axis=(1, 2))]
    statistics = coefficients(grades) if statistics is None else statistics
    return {name: _number(name, statistic, nonempty, grades) for name, statistic in statistics.items()}


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
