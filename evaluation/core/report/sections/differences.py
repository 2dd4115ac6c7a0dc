"""Is one judge nearer to people than another? Differences on the items that people and both judges graded."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from evaluation.core.report.tables import Column, CorrectionScope, Number, Table
from evaluation.core.report.matrices import topic_matrices
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.agreement.rows import coefficients, estimate_of
from evaluation.core.statistics.comparison.multiplicity import adjust
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.uncertainty import jackknife_difference, matrices_without_each

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.resampled import Resampled
    from evaluation.core.report.study import Study

ORDERS = ("tau", "rho", "r", "tau_AP,a", "tau_AP,b", "tau_GAP", "weighted tau", "RBO")
AGREEMENTS = ("kappa", "kappa, linear", "kappa, quadratic", "alpha, ordinal", "AC1")
BOTH = "Both judges on the same topics, so that their common part cancels out."
OF_GRADES = (
    f"{BOTH} p: test of no difference on such topics. p, table: corrected by Holm for all rows of this "
    "table. Not declared hypotheses of the report: exploratory."
)
OF_ORDERS = (
    f"{BOTH} Intervals: the difference expected on equally many other topics. No p is printed: in "
    "simulations the test rejects a true null hypothesis in 1 to 7 % of tracks instead of 4 to 6 %."
)


def order_differences(study: Study, resampled: Resampled) -> Table:
    """Differences in every coefficient of order, for every measure and pair of judges."""
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for one, two in combinations(study.others, 2):
            topics = study.shared_topics(PEOPLE, one, two)
            for name in ORDERS:
                first, second = (resampled.of(name, at, judge, topics) for judge in (one, two))
                names = measure, study.name(one), study.name(two), name
                rows.append((*names, topics.size, first.minus(second)))
    caption = "Differences between two judges in the order of the runs."
    columns = (Column("measure"), *_columns("topics"))
    return Table("two-judges-order", caption, columns, tuple(rows), (OF_ORDERS,))


def grade_differences(study: Study) -> Table:
    """Differences in coefficients of agreement, for every pair of judges."""
    statistics = {name: each for name, each in coefficients(study.design.scale).items() if name in AGREEMENTS}
    rows: list[tuple[Cell, ...]] = []
    found: list[tuple[Number, Estimate]] = []
    for one, two in combinations(study.others, 2):
        pairs = study.shared_pairs(PEOPLE, one, two)
        matrices = [topic_matrices(study, judge, pairs) for judge in (one, two)]
        non_empty = [each[each.any(axis=(1, 2))] for each in matrices]
        for name, statistic in statistics.items():
            first, second = (estimate_of(statistic, each.sum(axis=0)) for each in matrices)
            value = first.minus(second)
            left_out = [statistic(matrices_without_each(each)) for each in non_empty]
            difference = jackknife_difference(value, left_out[0] - left_out[1])
            rows.append((study.name(one), study.name(two), name, pairs.size))
            found.append((Number.of(value, difference.interval), difference.p))
    caption = "Differences between two judges in the grades."
    tests = (
        Column("p", "p", role=CorrectionScope.EXPLORATORY),
        Column("p, table", "p", role=CorrectionScope.WITHIN),
    )
    columns = (*_columns("items"), *tests)
    return Table("two-judges-grades", caption, columns, _with_p(rows, found), (OF_GRADES,))


def _columns(counted: str) -> tuple[Column, ...]:
    return (
        Column("judge"),
        Column("other judge"),
        Column("coefficient"),
        Column(counted, ",d"),
        Column("difference", "+z.2f", has_interval=True),
    )


def _with_p(
    rows: list[tuple[Cell, ...]], found: list[tuple[Number, Estimate]]
) -> tuple[tuple[Cell, ...], ...]:
    adjusted = adjust([p.value for _, p in found], "holm")
    return tuple(
        (*row, number, Number.of(p), Number.of(p if corrected is None else Estimate.of(corrected)))
        for row, (number, p), corrected in zip(rows, found, adjusted, strict=True)
    )
