"""What the report page draws and tabulates for one measure and one family, from a report's content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.core.estimate import Estimate, Reason
from evaluation.core.figures.axes import padded_range
from evaluation.core.figures.distribution import distribution
from evaluation.core.figures.grid import confusion_grid
from evaluation.core.figures.scatter import RunPoint, scatter
from evaluation.core.figures.whisker import whisker
from evaluation.core.leaderboard import run_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.figures.distribution import Distribution
    from evaluation.core.figures.grid import Grid
    from evaluation.core.figures.scatter import Scatter
    from evaluation.core.figures.whisker import Whisker

IN_FAMILY, OTHER = 2, 1  # the series of the style sheet

Means = dict[str, float | None]


@dataclass(frozen=True)
class JudgePanel:
    """One set of qrels against people's: its numbers and its figures."""

    judge: dict[str, Any]
    correlation: dict[str, Any]
    bias: dict[str, Any] | None
    tau: Whisker
    kappa: Whisker
    scatter: Scatter
    distribution: Distribution | None
    grid: Grid
    counts: tuple[
        tuple[int, list[int]], ...
    ]  # people's grade, and the judge's counts of it in order of scale


@dataclass(frozen=True)
class RunRow:
    """A run's mean and rank under people's qrels and under each other set."""

    tag: str
    team: str
    series: int
    cells: tuple[tuple[float | None, int | None], ...]


def judge_panels(content: Mapping[str, Any], measure: str, family: str | None) -> list[JudgePanel]:
    """A panel for each of the report's other qrels; their scatters share axes."""
    series = _series(content, family)
    points = [_points(judge, measure, series) for judge in content["others"]]
    across = padded_range(point.across for panel in points for point in panel)
    up = padded_range(point.up for panel in points for point in panel)
    both = min(across[0], up[0]), max(across[1], up[1])
    return [
        _panel(judge, scatter(panel, across=both, up=both), content["scale"], measure, family)
        for judge, panel in zip(content["others"], points, strict=True)
    ]


def _panel(
    judge: dict[str, Any], chart: Scatter, scale: list[int], measure: str, family: str | None
) -> JudgePanel:
    correlation = judge["correlation"][measure]
    return JudgePanel(
        judge,
        correlation,
        judge["bias"][measure].get(family),
        whisker(_estimate(correlation["kendall"])),
        whisker(_estimate(judge["kappa"]), ceiling=_estimate(judge["kappa_max"])),
        chart,
        _distribution(judge, scale),
        confusion_grid(np.array(judge["confusion"], dtype=np.int64), tuple(scale)),
        tuple(zip(scale, judge["confusion"], strict=True)),
    )


def _estimate(stored: dict[str, Any]) -> Estimate:
    reason = stored["reason"]
    return Estimate(stored["value"], Reason(reason) if reason else None)


def _distribution(judge: dict[str, Any], scale: list[int]) -> Distribution | None:
    if not judge["raw_scores"]:
        return None
    texts = [f"grade {scale[0]}", f"grade {scale[-1]}"]
    cuts = dict(zip(texts, judge["thresholds"] or (), strict=False))
    return distribution(judge["raw_scores"], cuts=cuts)


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


def _points(judge: dict[str, Any], measure: str, series: Mapping[str, int]) -> list[RunPoint]:
    people: Means = judge["reference_means"][measure]
    means: Means = judge["means"][measure]
    pairs = ((tag, people.get(tag), means.get(tag)) for tag in series)
    return [
        RunPoint(tag, series[tag], across, up)
        for tag, across, up in pairs
        if across is not None and up is not None
    ]
