"""Claims of favour are tested again within topics: a judge's leniency may differ from topic to topic.

Run-blind judges drawn over all topics err alike on each topic. A judge that raises the grades of some topics
and lowers those of others therefore has an excess over them without seeing a run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaluation.core.report.favour.over_grading import contrast_of_items, item_excess, mean_excess
from evaluation.core.report.favour.run_blind import favour_of, run_blind
from evaluation.core.report.tables import Column, Conclusion, ConclusionCode, Number

if TYPE_CHECKING:
    from evaluation.core.arrays import Flags
    from evaluation.core.report.favour.over_grading import ExcessGrades
    from evaluation.core.report.favour.run_blind import RunBlind
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.families.contrasts import Contrast

TOPIC = "topic"
P, POINTS, GRADES = Column("p", "p"), Column("points", "+z.1f"), Column("grades", "+z.2f")


@dataclass(frozen=True)
class WithinTopics:
    """Tests of the claims against run-blind judges drawn within topics; ``depth`` limits the items' ranks."""

    study: Study
    depth: int
    _blind: dict[int, RunBlind] = field(default_factory=dict)
    _grades: dict[int, ExcessGrades] = field(default_factory=dict)

    @property
    def _is_known(self) -> bool:
        """Whether the claims already use judges drawn within topics."""
        return self.study.design.run_blind == TOPIC

    def of_measure(
        self, claim: Conclusion, found: Contrast, judge: int, shared: Shared, at: int, flags: Flags
    ) -> Conclusion:
        """Return the claim on a measure, or that it cannot be told."""
        if self._is_known:
            return claim
        if judge not in self._blind:
            self._blind[judge] = run_blind(self.study, judge, within=TOPIC)
        again = favour_of(self.study, self._blind[judge], shared, at, flags).excess
        return self._unless_chance(claim, found, again, POINTS)

    def of_items(self, claim: Conclusion, found: Contrast, judge: int, family: str) -> Conclusion:
        """Return the claim on the first results, or that it cannot be told."""
        if self._is_known:
            return claim
        if judge not in self._grades:
            items = item_excess(self.study, judge, within=TOPIC)
            self._grades[judge] = mean_excess(self.study, items, [self.depth] * len(self.study.runs))
        again = contrast_of_items(self.study, self._grades[judge], family)
        return self._unless_chance(claim, found, again, GRADES)

    def _unless_chance(self, claim: Conclusion, found: Contrast, again: Contrast, unit: Column) -> Conclusion:
        """Withdraw a claim unless the excess within topics has its sign and a p of at most ``alpha``."""
        p, value = again.p_topics.value, again.value.value
        is_alike = (value or 0.0) * (found.value.value or 0.0) > 0
        if is_alike and p is not None and p <= self.study.design.alpha:
            return claim
        excess = f"{unit.text(value)} {unit.name}, p {P.text(Number.of(again.p_topics))}"
        words = f"cannot be told (against run-blind judges drawn within topics: {excess})"
        return Conclusion(ConclusionCode.CANNOT_TELL, words)
