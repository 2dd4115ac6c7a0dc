"""A report as its page shows it for one measure and one family."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from evaluation.core.report.stored import from_json
from evaluation.models import QrelsKind
from evaluation.views.report_figures import IN_FAMILY, judge_panels, run_rows
from evaluation.views.report_sections import shown_sections
from evaluation.views.report_sentence import report_sentence

if TYPE_CHECKING:
    from evaluation.core.report.content import Report as Content
    from evaluation.models import Report
    from evaluation.views.report_figures import JudgePanel, RunRow
    from evaluation.views.report_sections import ShownSection


@dataclass(frozen=True)
class ShownReport:
    """What the parts of the page need; nothing is made that no part asks for.

    A report never changes, so the page keeps its parts as they were rendered, and asks for nothing then.
    """

    report: Report
    measure: str
    family: str | None

    @cached_property
    def panels(self) -> list[JudgePanel]:
        """The key figures of each judge."""
        return judge_panels(self.report.content, self._full, self.measure, self.family)

    @cached_property
    def rows(self) -> list[RunRow]:
        """The run table."""
        return run_rows(self.report.content, self.measure, self.family)

    @cached_property
    def sections(self) -> list[ShownSection]:
        """What follows the run table."""
        return list(shown_sections(self._full, measure=self.measure, family=self.family))

    @property
    def basis(self) -> str:
        """What each number rests on."""
        return self._full.basis

    @property
    def headline(self) -> JudgePanel:
        """The judge whose order of runs is nearest to people's; a model, where there is one."""
        return max(self._models, key=_nearness)

    @property
    def sentences(self) -> list[str]:
        """What was found of each model."""
        return [
            report_sentence(panel.judge, measure=self.measure, family=self.family, run_count=len(self.rows))
            for panel in self._models
        ]

    @property
    def family_count(self) -> int:
        """Runs of the family."""
        return sum(row.series == IN_FAMILY for row in self.rows)

    @cached_property
    def _full(self) -> Content:
        return from_json(self.report.body)

    @property
    def _models(self) -> list[JudgePanel]:
        return [panel for panel in self.panels if panel.judge["kind"] == QrelsKind.MODEL] or self.panels


def _nearness(panel: JudgePanel) -> float:
    """Kendall's tau; what has none comes behind the lowest."""
    tau = panel.correlation["kendall"]["value"]
    return -2.0 if tau is None else float(tau)
