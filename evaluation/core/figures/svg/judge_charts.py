"""Bars of grades and cumulative scores of people and judges, as SVG text."""

from collections.abc import Mapping
from html import escape

from evaluation.core.figures.axes import number
from evaluation.core.figures.distribution import Distribution
from evaluation.core.figures.stacks import BAR, Stacks
from evaluation.core.figures.svg.elements import (
    chart_svg,
    draw_columns,
    draw_grid,
    draw_path,
    draw_series_mark,
    draw_text,
)
from evaluation.core.figures.text_width import fitted


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


def stacks_svg(chart: Stacks, *, name: str, title: str, desc: str, axis: str) -> str:
    """Bars of shaded parts, the lightest for the lowest grade; shares on hover."""
    frame = chart.frame
    parts = [*draw_columns(frame, chart.x_ticks, axis)]
    for bar in chart.bars:
        parts.append(draw_text(frame.left - 8, bar.y + BAR - 4, fitted(bar.name, frame.left - 26), "e"))
        parts.append(draw_series_mark(bar.series, 8, bar.y + BAR / 2))
        for part in bar.parts:
            place = f'x="{number(part.x)}" y="{number(bar.y)}" width="{part.width}" height="{BAR}"'
            hover = f"{bar.name}: grade {part.grade}, {100 * part.share:.0f} %"
            opacity = "" if part.opacity == 1 else f' fill-opacity="{part.opacity}"'
            box = f'<rect class="{part.shade}"{opacity} {place}/>'
            parts.append(f"<g><title>{escape(hover)}</title>{box}</g>")
    return chart_svg(frame, parts, name, title, desc, (), " wide")
