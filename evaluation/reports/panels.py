"""The figure of a report's first page: a scatter a judge, of the runs' means by people and by the judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.core.figures.svg.panels import PanelAxes, PanelRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluation.core.findings.results import OrderFinding
    from evaluation.core.report.findings import Findings, ReportFacts
    from evaluation.core.report.views.first_page import FirstPage, PageRow

MOST_PANELS = 4
MOST_MARKS = 48  # in a panel; of more runs only the best of each team are drawn


@dataclass(frozen=True)
class JudgePanel:
    """One judge's drawing with its name and tau."""

    name: str
    tau: str
    svg: str
    has_best_alone: bool


def judge_panels(findings: Findings, page: FirstPage) -> list[JudgePanel]:
    """Draw the first judges of the table, on shared axes; a judge that has no mean of any run is left out."""
    rows = [row for row in page.judges if row.tau.value is not None][:MOST_PANELS]
    orders = {judge.name: judge.order(page.measure) for judge in findings.judges}
    runs = [_runs(findings.facts, orders[row.name], page) for row in rows]
    axes = PanelAxes.of([run for of_judge in runs for run in of_judge])
    has_best_alone = len(findings.facts.runs) > MOST_MARKS
    return [
        JudgePanel(row.name, row.tau.text, _drawn(axes, row, of_judge, page.measure, place), has_best_alone)
        for place, (row, of_judge) in enumerate(zip(rows, runs, strict=True), 1)
    ]


def _runs(facts: ReportFacts, order: OrderFinding, page: FirstPage) -> list[PanelRun]:
    best = facts.best_of_teams[page.measure][:MOST_MARKS] if len(facts.runs) > MOST_MARKS else None
    return [
        PanelRun(run.tag, across, up, page.family in run.families)
        for run, across, up in zip(facts.runs, order.people_means, order.judge_means, strict=True)
        if across is not None and up is not None and (best is None or run.tag in best)
    ]


def _drawn(axes: PanelAxes, row: PageRow, runs: Sequence[PanelRun], measure: str, place: int) -> str:
    return axes.panel_svg(
        runs,
        judge=row.name,
        name=f"panel-{place}",
        title=f"{row.name}: mean {measure} of runs against people’s",
        desc=f"Scatter of {len(runs)} runs, tau {row.tau.text}.",
        measure=measure,
    )
