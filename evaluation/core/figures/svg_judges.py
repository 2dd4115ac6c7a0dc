"""Charts that compare people and judges, as SVG text with the conventions of ``svg``."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import number
from evaluation.core.figures.elements import (
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_path,
    draw_text,
)
from evaluation.core.figures.heat import CELL
from evaluation.core.figures.series import mark_place, series_mark
from evaluation.core.figures.stacks import BAR
from evaluation.core.figures.strips import BOX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.figures.bland_altman import BlandAltman
    from evaluation.core.figures.distribution import Distribution
    from evaluation.core.figures.heat import Heat
    from evaluation.core.figures.judge_scatter import JudgeScatter
    from evaluation.core.figures.stacks import Stacks
    from evaluation.core.figures.strips import Strips

FOCUS, OTHER = "fam sf", "oth sh"


def judge_scatter_svg(
    chart: JudgeScatter, *, name: str, title: str, desc: str, axes: tuple[str, str], focus: str
) -> str:
    """The mark shows the judge, the colour the family: red and filled in focus, grey and hollow otherwise."""
    line = chart.identity
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks, is_crossed=True)]
    parts.append(draw_path("id", f"M{line.x1} {line.y1}L{line.x2} {line.y2}"))
    for mark in chart.marks:
        run = mark.run
        hover = f"{run.tag}: people {run.across:.4f}, {run.judge} {run.up:.4f}"
        kind = FOCUS if run.is_in_focus else OTHER
        parts.append(f"<g><title>{escape(hover)}</title>{draw_path(kind, mark.path)}</g>")
    judges = {mark.run.judge: mark_place(mark.run.series) for mark in chart.marks}
    key = [(f"oth sf:{place}", judge) for judge, place in sorted(judges.items(), key=lambda each: each[1])]
    if focus:
        key += [(f"{FOCUS}:1", focus), (f"{OTHER}:1", "other runs")]
    return chart_svg(
        chart.frame, [*parts, *draw_axis_names(chart.frame, *axes)], name, title, desc, key, " wide"
    )


def cumulative_svg(
    chart: Distribution, series: Mapping[str, str], *, name: str, title: str, desc: str, axis: str
) -> str:
    """One cumulative line per series, styled by its class."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for curve in chart.curves:
        hover = f"<title>{escape(curve.name)}</title>"
        parts.append(f"<g>{hover}{draw_path(f'{series[curve.name]} sl', curve.path)}</g>")
    parts.append(draw_text((chart.frame.left + chart.frame.right) / 2, chart.frame.height - 4, axis, "m"))
    key = [(series[curve.name], curve.name) for curve in chart.curves]
    return chart_svg(chart.frame, parts, name, title, desc, key)


def bland_altman_svg(
    chart: BlandAltman, *, name: str, title: str, desc: str, axes: tuple[str, str], focus: str
) -> str:
    """Marks of the runs, and named dashed lines of mean difference and limits."""
    frame = chart.frame
    parts = [*draw_grid(frame, chart.x_ticks, chart.y_ticks)]
    parts.append(draw_path("ax", f"M{frame.left} {chart.zero}H{frame.right}"))
    for level in chart.levels:
        parts.append(draw_path("id", f"M{frame.left} {level.at}H{frame.right}"))
        parts.append(draw_text(frame.right, level.at - 4, level.text, "e t2 h"))
    for mark in chart.marks:
        hover = f"{mark.tag}: average {mark.average:.4f}, difference {mark.difference:+.4f}".replace("-", "−")
        kind = FOCUS if mark.is_in_focus else OTHER
        parts.append(f"<g><title>{escape(hover)}</title>{draw_path(kind, mark.path)}</g>")
    key = [(f"{FOCUS}:1", focus), (f"{OTHER}:1", "other runs")] if focus else []
    return chart_svg(frame, [*parts, *draw_axis_names(frame, *axes)], name, title, desc, key)


def heat_svg(chart: Heat, *, name: str, title: str, desc: str) -> str:
    """Shaded cells with their numbers; the diagonal is empty."""
    parts = [draw_text(x, chart.frame.top - 8, text, "m b") for x, text in chart.columns]
    parts += [draw_text(8, y + 4, text, "") for y, text in chart.names]
    for cell in chart.cells:
        place = f'x="{number(cell.x)}" y="{number(cell.y)}" width="{CELL}" height="{CELL}"'
        shown = "–" if cell.value is None else f"{cell.value:z.2f}".replace("-", "−")
        box = f'<rect class="f1" fill-opacity="{cell.opacity}" {place}/>'
        text = draw_text(cell.x + CELL / 2, cell.y + CELL / 2 + 4, shown, "m")
        parts.append(f"<g><title>{escape(f'{cell.title}: {shown}')}</title>{box}{text}</g>")
    return chart_svg(chart.frame, parts, name, title, desc, ())


def strips_svg(chart: Strips, *, name: str, title: str, desc: str, axis: str) -> str:
    """One stroke per value, the middle half as a box, the median as the series' mark."""
    frame = chart.frame
    parts = []
    for tick in chart.x_ticks:
        parts.append(draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}"))
        parts.append(draw_text(tick.at, frame.bottom + 16, tick.text, "m t2"))
    parts.append(draw_path("ax", f"M{chart.zero} {frame.top}V{frame.bottom}"))
    for row in chart.rows:
        parts.append(draw_text(frame.left - 8, row.y + 4, row.name, "e"))
        parts.append(draw_path("ln", row.strokes))
        if row.box is not None and row.median is not None:
            low, high = row.box
            box = f"M{number(low)} {number(row.y - BOX / 2)}H{number(high)}v{BOX}H{number(low)}z"
            parts.append(draw_path(f"{row.series} sl", box))
            parts.append(
                draw_path(f"{row.series} sf", series_mark(mark_place(row.series), row.median, row.y))
            )
    parts.append(draw_text((frame.left + frame.right) / 2, frame.bottom + 34, axis, "m"))
    return chart_svg(frame, parts, name, title, desc, (), " wide")


def stacks_svg(chart: Stacks, *, name: str, title: str, desc: str, axis: str) -> str:
    """Bars of shaded parts, the lightest for the lowest grade; shares on hover."""
    frame = chart.frame
    parts = []
    for tick in chart.x_ticks:
        parts.append(draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}"))
        parts.append(draw_text(tick.at, frame.bottom + 16, tick.text, "m t2"))
    for bar in chart.bars:
        parts.append(draw_text(frame.left - 8, bar.y + BAR - 4, bar.name, "e"))
        for part in bar.parts:
            place = f'x="{number(part.x)}" y="{number(bar.y)}" width="{part.width}" height="{BAR}"'
            hover = f"{bar.name}: grade {part.grade}, {100 * part.share:.0f} %"
            box = f'<rect class="f1" fill-opacity="{part.opacity}" {place}/>'
            parts.append(f"<g><title>{escape(hover)}</title>{box}</g>")
    parts.append(draw_text((frame.left + frame.right) / 2, frame.bottom + 34, axis, "m"))
    return chart_svg(frame, parts, name, title, desc, (), " wide")
