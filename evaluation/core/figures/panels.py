"""Panels of one figure: the mean of each run by people (across) and by one judge (up), on shared axes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Axis, Frame, number, padded_range
from evaluation.core.figures.series import mark_kind, mark_place, series_mark
from evaluation.core.figures.svg.elements import chart_svg, draw_axis_names, draw_grid, draw_path, draw_text

if TYPE_CHECKING:
    from collections.abc import Sequence

PANEL = Frame(width=300, height=166, left=34, right=292, top=8, bottom=126)
RADIUS = 4.0
TICKS = 4


@dataclass(frozen=True, slots=True)
class PanelRun:
    """A run with its two means, and whether it is of the family in focus."""

    tag: str
    across: float
    up: float
    is_in_focus: bool


@dataclass(frozen=True, slots=True)
class PanelAxes:
    """The axes that all panels share."""

    across: Axis
    up: Axis

    @classmethod
    def of(cls, runs: Sequence[PanelRun]) -> PanelAxes:
        """The axes that hold all these runs."""
        return cls(
            Axis(*padded_range((run.across for run in runs), share=0.08), PANEL.left, PANEL.right),
            Axis(*padded_range((run.up for run in runs), share=0.08), PANEL.bottom, PANEL.top),
        )

    def panel_svg(self, runs: Sequence[PanelRun], *, name: str, title: str, desc: str, measure: str) -> str:
        """Draw one judge's panel. Triangles are the family in focus, rings the other runs."""
        ticks = self.across.ticks(TICKS), self.up.ticks(TICKS)
        parts = [*draw_grid(PANEL, *ticks), *self._identity()]
        for run in sorted(runs, key=lambda run: run.is_in_focus):
            series = "fam" if run.is_in_focus else "oth"
            x, y = self.across.at(run.across), self.up.at(run.up)
            mark = series_mark(mark_place(series), x, y, radius=RADIUS)
            hover = f"{run.tag}: people {run.across:.4f}, judge {run.up:.4f}"
            parts.append(f"<g><title>{escape(hover)}</title>{draw_path(mark_kind(series), mark)}</g>")
        parts += draw_axis_names(PANEL, f"people’s mean {measure}", "")[:1]
        return chart_svg(PANEL, parts, name, title, desc, ())

    def _identity(self) -> list[str]:
        """The line of equal means, where both axes hold it."""
        low, high = max(self.across.low, self.up.low), min(self.across.high, self.up.high)
        if low >= high:
            return []
        ends = [f"{number(self.across.at(value))} {number(self.up.at(value))}" for value in (low, high)]
        below = max(self.up.at(high) + 14, PANEL.top + 10)
        label = draw_text(self.across.at(high) - 4, below, "equal", "e t2 h")
        return [draw_path("id", f"M{'L'.join(ends)}"), label]
