"""Claims of favour are tested in reverse, by people's grades within the judge's grade: people err, too.

Better runs find relevant items that people missed. A judge that grades these truly has an excess for better
runs without seeing a run. If people grade the family's items lower than other items with the same grade of
the judge, errors of people cannot be the reason. If not, they can: the claim gets that condition. This is the
reverse regression of Conway and Roberts, Journal of Business & Economic Statistics 1983.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaluation.core.report.favour.over_grading import contrast_of_items, item_excess, mean_excess
from evaluation.core.report.favour.within_topics import GRADES, TOPIC, P
from evaluation.core.report.tables import Conclusion, ConclusionCode, Number

if TYPE_CHECKING:
    from evaluation.core.report.favour.over_grading import ExcessGrades
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.estimate import Estimate

CONDITIONAL = {
    ConclusionCode.FAVOURS: ConclusionCode.FAVOURS_UNLESS_PEOPLE_ERR,
    ConclusionCode.DISFAVOURS: ConclusionCode.DISFAVOURS_UNLESS_PEOPLE_ERR,
}


def verb_of(outcome: ConclusionCode) -> str:
    """The verb of a claim: favour or disfavour."""
    is_favour = outcome in (ConclusionCode.FAVOURS, ConclusionCode.FAVOURS_UNLESS_PEOPLE_ERR)
    return "favour" if is_favour else "disfavour"


def condition_of(outcome: ConclusionCode) -> str:
    """The condition of a claim, with its comma; empty if it has none."""
    return ", unless people err" if outcome in CONDITIONAL.values() else ""


@dataclass(frozen=True)
class Reversal:
    """Tests of the claims by people's excess grades, within topics; ``depth`` limits the items' ranks."""

    study: Study
    depth: int
    _grades: dict[int, ExcessGrades] = field(default_factory=dict)

    def of(self, claim: Conclusion, value: Estimate, judge: int, family: str) -> Conclusion:
        """Return the claim, or the claim with the condition that people do not err.

        It needs no condition if people's excess has the opposite sign of ``value`` and a p of at most
        ``alpha``.
        """
        if judge not in self._grades:
            items = item_excess(self.study, judge, within=TOPIC, is_reversed=True)
            self._grades[judge] = mean_excess(self.study, items, [self.depth] * len(self.study.runs))
        found = contrast_of_items(self.study, self._grades[judge], family)
        p = found.p_topics.value
        is_opposite = (found.value.value or 0.0) * (value.value or 0.0) < 0
        if is_opposite and p is not None and p <= self.study.design.alpha:
            return claim
        excess = f"{GRADES.text(found.value.value)} {GRADES.name}, p {P.text(Number.of(found.p_topics))}"
        words = f"{claim.words} (unless people err: in reverse {excess})"
        return Conclusion(CONDITIONAL[claim.outcome], words)
