"""Use 5: label single pairs with the judge's grades."""

from dataclasses import replace

import numpy as np

from trackside.arrays import Floats, value_or_none
from trackside.findings.results import GradeFinding
from trackside.findings.use_results import AssayFinding, LabelUse, UseCode
from trackside.findings.uses.pairs import ComparedPairs
from trackside.findings.uses.second import Pooled, one_sided_ends
from trackside.statistics.agreement import kappa_of_matrices
from trackside.statistics.estimate import Reason
from trackside.uncertainty.intervals import FEWEST_TOPICS, jackknife_error, matrices_without_each


def label_use(pairs: ComparedPairs, grades: GradeFinding, assay: AssayFinding, *, margin: float) -> LabelUse:
    """Kappa with people, and its difference to the second assessors', on the pairs that all graded."""
    seen = LabelUse(code=UseCode.OPEN, kappa=grades.kappa, low=grades.low, high=grades.high)
    if grades.kappa is None:
        return replace(seen, reason=grades.reason)
    if not np.ptp(pairs.judge) or not np.ptp(pairs.people):
        return LabelUse(code=UseCode.OPEN, reason=Reason.CONSTANT_GRADES)
    pooled = Pooled.of(pairs)
    if not pooled.index.size:
        return replace(seen, reason=Reason.NO_SECOND_ASSESSOR)
    by_judge = pooled.by_grade(pairs.judge[pooled.index])
    by_second = pooled.by_grade(pooled.grades)
    kappas = [
        value_or_none(kappa_of_matrices(table.sum(axis=0)[None], pairs.scale)[0])
        for table in (by_judge, by_second)
    ]
    seen = replace(seen, judge_kappa=kappas[0], second_kappa=kappas[1], pair_count=pooled.pair_count)
    if kappas[0] is None or kappas[1] is None:
        return replace(seen, reason=Reason.CONSTANT_GRADES)
    difference = kappas[0] - kappas[1]
    seen = replace(seen, difference=difference)
    left_out = [
        kappa_of_matrices(matrices_without_each(table), pairs.scale) for table in (by_judge, by_second)
    ]
    reason = _why_no_ends(left_out[0] - left_out[1])
    if reason is not None:
        return replace(seen, reason=reason)
    ends = one_sided_ends(difference, jackknife_error(left_out[0] - left_out[1]), len(by_judge))
    seen = replace(seen, low_difference=ends.low, high_difference=ends.high)
    if not assay.is_passed:
        return replace(seen, reason=Reason.NO_ASSAY)
    if ends.low > -margin:
        return replace(seen, code=UseCode.AS_PEOPLE)
    return replace(seen, code=UseCode.DIFFERS if ends.high < -margin else UseCode.OPEN)


def _why_no_ends(left_out: Floats) -> Reason | None:
    if left_out.size < FEWEST_TOPICS:
        return Reason.TOO_FEW_TOPICS
    return Reason.HANGS_ON_ONE_TOPIC if np.isnan(left_out).any() else None
