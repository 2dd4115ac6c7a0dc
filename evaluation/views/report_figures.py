"""The key figures and the run table of the report page, for one measure and one family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evaluation.core.estimate import Estimate, Interval, Reason
from evaluation.core.figures.whisker import whisker
from evaluation.core.leaderboard import run_ranks
from evaluation.core.report.content import Number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.figures.whisker import Whisker
    from evaluation.core.report.content import Report

IN_FAMILY, OTHER = 2, 1  # the series of the style sheet


@dataclass(frozen=True)
class JudgePanel:
    """One set of qrels against people's: its key figures."""

    judge: dict[str, Any]
    correlation: dict[str, Any]
    bias: dict[str, Any] | None
    tau: Whisker
    kappa: Whisker
    tau_interval: Interval | None
    kappa_interval: Interval | None


@dataclass(frozen=True)
class RunRow:
    """A run's mean and rank under people's qrels and under each other set."""

    tag: str
    team: str
    series: int
    cells: tuple[tuple[float | None, int | None], ...]


def judge_panels(
    content: Mapping[str, Any], report: Report, measure: str, family: str | None
) -> list[JudgePanel]:
    """The key figures of each of the report's other qrels; intervals come from its sections."""
    intervals = _intervals(report, measure)
    return [_panel(judge, measure, family, intervals) for judge in content["others"]]


def _panel(
    judge: dict[str, Any], measure: str, family: str | None, intervals: Mapping[tuple[str, str], Interval]
) -> JudgePanel:
    correlation = judge["correlation"][measure]
    tau, kappa = (intervals.get((judge["name"], column)) for column in ("tau", "kappa"))
    return JudgePanel(
        judge,
        correlation,
        judge["bias"][measure].get(family),
        whisker(_estimate(correlation["kendall"]), tau),
        whisker(_estimate(judge["kappa"]), kappa, ceiling=_estimate(judge["kappa_max"])),
        tau,
        kappa,
    )


def _intervals(report: Report, measure: str) -> dict[tuple[str, str], Interval]:
    """The intervals of tau and kappa of each judge."""
    found: dict[tuple[str, str], Interval] = {}
    for table in report.tables():
        for name, column in (("order", "tau"), ("agreement", "kappa")):
            if table.name == name:
                names = [each.name for each in table.columns]
                for row in table.where(measure=measure).rows:
                    cell = row[names.index(column)]
                    if isinstance(cell, Number) and cell.low is not None:
                        judge = str(row[names.index("judge")])
                        found[judge, column] = Interval(cell.low, cell.high, 0.95)
    return found


def _estimate(stored: dict[str, Any]) -> Estimate:
    reason = stored["reason"]
    return Estimate(stored["value"], Reason(reason) if reason else None)


def run_rows(content: Mapping[str, Any], measure: str, family: str | None) -> list[RunRow]:
    """The runs by people's mean, best first; those without a mean come last."""
    series = _series(content, family)
    columns = [content["reference_means"][measure], *(judge["means"][measure] for judge in content["others"])]
    ranks = [run_ranks({tag: mean for tag, mean in column.items() if mean is not None}) for column in columns]
    rows = [
        RunRow(
            run["tag"],
            run["team"],
            series[run["tag"]],
            tuple(
                (column.get(run["tag"]), rank.get(run["tag"]))
                for column, rank in zip(columns, ranks, strict=True)
            ),
        )
        for run in content["runs"]
    ]
    return sorted(rows, key=lambda row: row.cells[0][1] or len(rows) + 1)


def _series(content: Mapping[str, Any], family: str | None) -> dict[str, int]:
    return {run["tag"]: IN_FAMILY if family in run["families"] else OTHER for run in content["runs"]}
