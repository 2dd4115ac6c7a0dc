"""Is one judge nearer to people than another: differences on what all three graded."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from evaluation.core.agreement_rows import coefficients, estimate_of
from evaluation.core.bootstrap import FEWEST_TOPICS, difference_p, percentile_interval, sampled_matrices
from evaluation.core.estimate import Estimate, Reason
from evaluation.core.report.content import Column, Number, Table
from evaluation.core.report.matrices import topic_matrices
from evaluation.core.report.resampled import Sampled
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.arrays import Ints
    from evaluation.core.report.content import Cell
    from evaluation.core.report.resampled import Resampled
    from evaluation.core.report.study import Study

ORDERS = ("tau", "rho", "r", "tau_AP,a", "tau_AP,b", "tau_GAP", "weighted tau", "RBO")
AGREEMENTS = ("kappa", "kappa, linear", "kappa, quadratic", "alpha, ordinal", "AC1")
NOTE = (
    "The same resamples of topics serve both judges, so what they share cancels out. p: twice the share of "
    "resamples in which the difference has the other sign, or is zero."
)


def order_differences(study: Study, resampled: Resampled) -> Table:
    """Every coefficient of order, for every measure and pair of judges."""
    columns = (Column("measure"), *_columns("topics"))
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for one, two in combinations(study.others, 2):
            topics = study.shared_topics(PEOPLE, one, two)
            for name in ORDERS:
                first, second = (resampled.of(name, at, judge, topics) for judge in (one, two))
                names = study.name(one), study.name(two), name
                rows.append((measure, *names, topics.size, *_difference(first, second)))
    caption = "Differences between two judges in the order of the runs."
    return Table("two-judges-order", caption, columns, tuple(rows), (NOTE,))


def grade_differences(study: Study) -> Table:
    """Coefficients of agreement, for every pair of judges."""
    statistics = {name: each for name, each in coefficients(study.design.scale).items() if name in AGREEMENTS}
    rows: list[tuple[Cell, ...]] = []
    for one, two in combinations(study.others, 2):
        pairs = study.shared_pairs(PEOPLE, one, two)
        matrices = [topic_matrices(study, judge, pairs) for judge in (one, two)]
        for name, statistic in statistics.items():
            found = []
            for by_topic in matrices:
                kept = by_topic[by_topic.any(axis=(1, 2))]
                value = estimate_of(statistic, by_topic.sum(axis=0))
                is_drawn = value.value is not None and len(kept) >= FEWEST_TOPICS
                samples = statistic(_samples(study, kept)) if is_drawn else None
                found.append(Sampled(value, samples))
            rows.append((study.name(one), study.name(two), name, pairs.size, *_difference(*found)))
    caption = "Differences between two judges in the grades."
    return Table("two-judges-grades", caption, _columns("items"), tuple(rows), (NOTE,))


def _columns(counted: str) -> tuple[Column, ...]:
    return (
        Column("judge"),
        Column("other judge"),
        Column("coefficient"),
        Column(counted, ",d"),
        Column("difference", "+z.2f", has_interval=True),
        Column("p", "p"),
    )


def _samples(study: Study, by_topic: Ints) -> Ints:
    return sampled_matrices(by_topic, study.counts(len(by_topic)))


def _difference(first: Sampled, second: Sampled) -> tuple[Number, Number]:
    found = first.value.minus(second.value)
    if found.value is None:
        return Number.of(found), Number.of(found)
    if first.samples is None or second.samples is None:
        return Number.of(found), Number.of(Estimate.undefined(Reason.TOO_FEW))
    samples = first.samples - second.samples
    return Number.of(found, percentile_interval(samples)), Number.of(difference_p(samples))
