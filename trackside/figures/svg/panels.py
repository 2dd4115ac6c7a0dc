"""Panels of one figure: the mean of each run by people (across) and by one judge (up), on shared axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from trackside.figures.axes import Axis, Frame, number, padded_range
from trackside.figures.series import mark_kind, mark_place, series_mark
from trackside.figures.svg.elements import (
    Key,
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_path,
    draw_series_mark,
    draw_text,
    fitted,
)

PANEL = Frame(width=300, height=166, left=34, right=292, top=8, bottom=126)
RADIUS = 4.0
TICKS = 4
IN_ROW, NAME_HEIGHT, GAP = 3, 22.0, 6.0


@dataclass(frozen=True, slots=True)
class PanelRun:
    """A run with its two means, and whether it is of the family in focus."""

    tag: str
    across: float
    up: float
    is_in_focus: bool


@dataclass(frozen=True, slots=True)
class NamedPanel:
    """One judge of a figure of several panels: its name, the class of its mark, and the runs."""

    name: str
    series: str
    runs: Sequence[PanelRun]


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

    def panel_svg(
        self, runs: Sequence[PanelRun], *, judge: str, name: str, title: str, desc: str, measure: str
    ) -> str:
        """Draw one judge's panel. Triangles are the family in focus, rings the other runs."""
        return chart_svg(PANEL, self.drawn(runs, judge, measure), name, title, desc, ())

    def drawn(self, runs: Sequence[PanelRun], judge: str, measure: str) -> Iterator[str]:
        """The parts of one panel."""
        yield from draw_grid(PANEL, self.across.ticks(TICKS), self.up.ticks(TICKS))
        yield from self._identity()
        for run in sorted(runs, key=lambda run: run.is_in_focus):
            series = "fam" if run.is_in_focus else "oth"
            x, y = self.across.at(run.across), self.up.at(run.up)
            mark = series_mark(mark_place(series), x, y, radius=RADIUS)
            hover = f"{run.tag}: people {run.across:.4f}, {judge} {run.up:.4f}"
            yield f"<g><title>{escape(hover)}</title>{draw_path(mark_kind(series), mark)}</g>"
        yield draw_axis_names(PANEL, f"people's mean {measure}", "")[0]

    def _identity(self) -> list[str]:
        """The line of equal means, where both axes hold it."""
        low, high = max(self.across.low, self.up.low), min(self.across.high, self.up.high)
        if low >= high:
            return []
        ends = [f"{number(self.across.at(value))} {number(self.up.at(value))}" for value in (low, high)]
        return [draw_path("id", f"M{'L'.join(ends)}")]


def panels_svg(
    panels: Sequence[NamedPanel], *, name: str, title: str, desc: str, measure: str, focus: str | None
) -> str:
    """Draw named panels, three a row, with a key of the family in focus."""
    runs = [run for panel in panels for run in panel.runs]
    axes, height = PanelAxes.of(runs), PANEL.height + NAME_HEIGHT
    parts = []
    for index, panel in enumerate(panels):
        x, y = (PANEL.width + GAP) * (index % IN_ROW), height * (index // IN_ROW)
        drawn = "".join(axes.drawn(panel.runs, panel.name, measure))
        parts.append(draw_series_mark(panel.series, x + PANEL.left + 5, y + 12))
        parts.append(draw_text(x + PANEL.left + 16, y + 16, fitted(panel.name, PANEL.width - 60), "b"))
        parts.append(f'<g transform="translate({number(x)} {number(y + NAME_HEIGHT)})">{drawn}</g>')
    columns, rows = min(IN_ROW, max(len(panels), 1)), -(-len(panels) // IN_ROW) or 1
    frame = Frame((PANEL.width + GAP) * columns, height * rows, 0, 0, 0, 0)
    names = (("fam sf:2", focus or "", True), ("oth sh:1", "other runs", False))
    kinds = {run.is_in_focus for run in runs}
    key: Key = [(sign, text) for sign, text, is_in in names if focus and is_in in kinds]
    return chart_svg(frame, parts, name, title, desc, key, " wide")
