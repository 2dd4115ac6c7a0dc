"""Panels of one figure: the mean of each run by people (across) and by a judge (up), a panel per judge."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Axis, Frame, number, padded_range
from evaluation.core.figures.series import mark_kind, mark_place, series_mark
from evaluation.core.figures.svg.elements import chart_svg, draw_grid, draw_path, draw_series_mark, draw_text
from evaluation.core.figures.text_width import fitted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.figures.svg.elements import Key

PANEL = Frame(width=300, height=230, left=44, right=292, top=30, bottom=190)
IN_ROW, RADIUS, TICKS, GAP = 3, 4.0, 4, 6.0


@dataclass(frozen=True, slots=True)
class PanelRun:
    """A run with its two means, and whether it is of the family in focus."""

    tag: str
    across: float
    up: float
    is_in_focus: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One judge: its name, the class of its mark, and the runs."""

    name: str
    series: str
    runs: Sequence[PanelRun]


def panels_svg(panels: Sequence[Panel], *, name: str, title: str, desc: str, measure: str, focus: str) -> str:
    """Draw three panels a row on shared axes: triangles are the family in focus, rings other runs."""
    runs = [run for panel in panels for run in panel.runs]
    low, high = padded_range((value for run in runs for value in (run.across, run.up)), share=0.06)
    columns = min(IN_ROW, max(len(panels), 1))
    rows = -(-len(panels) // IN_ROW)
    parts = []
    for place, panel in enumerate(panels):
        x, y = (PANEL.width + GAP) * (place % IN_ROW), PANEL.height * (place // IN_ROW)
        drawn = "".join(_panel(panel, low, high, measure))
        parts.append(f'<g transform="translate({number(x)} {number(y)})">{drawn}</g>')
    frame = Frame((PANEL.width + GAP) * columns, PANEL.height * max(rows, 1), 0, 0, 0, 0)
    names = (("fam sf:2", focus, True), ("oth sh:1", "other runs", False))
    shown = {run.is_in_focus for run in runs}
    key: Key = [(sign, text) for sign, text, is_in in names if focus and is_in in shown]
    return chart_svg(frame, parts, name, title, desc, key, " wide")


def _panel(panel: Panel, low: float, high: float, measure: str) -> Iterator[str]:
    x_axis, y_axis = Axis(low, high, PANEL.left, PANEL.right), Axis(low, high, PANEL.bottom, PANEL.top)
    yield draw_series_mark(panel.series, PANEL.left + 5, 14)
    yield draw_text(PANEL.left + 16, 18, fitted(panel.name, PANEL.right - PANEL.left - 16), "b")
    yield from draw_grid(PANEL, x_axis.ticks(TICKS), y_axis.ticks(TICKS))
    yield draw_path("id", f"M{x_axis.at(low)} {y_axis.at(low)}L{x_axis.at(high)} {y_axis.at(high)}")
    for run in sorted(panel.runs, key=lambda run: run.is_in_focus):
        series = "fam" if run.is_in_focus else "oth"
        mark = series_mark(mark_place(series), x_axis.at(run.across), y_axis.at(run.up), radius=RADIUS)
        hover = f"{run.tag}: people {run.across:.4f}, {panel.name} {run.up:.4f}"
        yield f"<g><title>{escape(hover)}</title>{draw_path(mark_kind(series), mark)}</g>"
    yield draw_text((PANEL.left + PANEL.right) / 2, PANEL.bottom + 34, f"people’s mean {measure}", "m t2")
