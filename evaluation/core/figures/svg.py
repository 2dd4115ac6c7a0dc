"""The charts as SVG text: classes of the site's style sheet, no style attributes, title and desc.

Pages, commands and bundles use these functions; ``standalone`` adds the CSS rules that a separate file needs.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import number
from evaluation.core.figures.elements import (
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_mark,
    draw_path,
    draw_text,
)
from evaluation.core.figures.series import RULES as SERIES_RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evaluation.core.figures.bump import Bump
    from evaluation.core.figures.distribution import Distribution
    from evaluation.core.figures.elements import Key
    from evaluation.core.figures.grid import Grid
    from evaluation.core.figures.histogram import Histogram
    from evaluation.core.figures.lines import Lines
    from evaluation.core.figures.scatter import Scatter

LINE_CLASSES = ("l1", "l2", "l3", "l4")

_RULES = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#1a2027}.t2{fill:#4c5661}"
    ".m{text-anchor:middle}"
    ".e{text-anchor:end}.b{font-weight:650}.grd,.ax,.id,.ln{fill:none;stroke:#dce1e6}.ax{stroke:#7d8893}"
    ".id{stroke:#4c5661;stroke-dasharray:4 4}.ln{stroke-width:2;stroke:#7d8893}.l1{stroke:#0072b2}"
    ".l2{stroke:#d55e00}.l3{stroke:#00835f;stroke-dasharray:7 3}.l4{stroke:#a3487f;stroke-dasharray:2 3}"
    ".f1{fill:#0072b2}.f2{fill:#d55e00}.f3{fill:#00835f}.f4{fill:#a3487f}.mk{stroke:#fff;stroke-width:1.5}"
    ".k0{stroke:#4c5661;stroke-dasharray:2 3}.k1{stroke:#4a8fc4;stroke-dasharray:8 3}.k2{stroke:#0b4f86}"
)


def standalone(svg: str) -> str:
    """Return the drawing as a separate file: with CSS rules, a white background and its natural size."""
    head, _, rest = svg.partition(">")
    width, height = head.split('viewBox="0 0 ')[1].split('"')[0].split()
    background = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return (
        f'{head} width="{width}" height="{height}"><style>{_RULES}{SERIES_RULES}</style>{background}{rest}\n'
    )


def scatter_svg(
    chart: Scatter, *, name: str, title: str, desc: str, axes: tuple[str, str], key: Key = ()
) -> str:
    """Marks with their run's name and values on hover; ``axes`` names the x and the y axis."""
    across, up = axes
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks, is_crossed=True)]
    if chart.identity:
        line = chart.identity
        parts.append(draw_path("id", f"M{line.x1} {line.y1}L{line.x2} {line.y2}"))
        parts.append(draw_text(line.x2, line.y2, "equal", "e t2 h", dy=16))
    for mark in chart.marks:
        hover = f"{mark.run.tag}: {across} {mark.run.across:.4f}, {up} {mark.run.up:.4f}"
        parts.append(
            f"<g><title>{escape(hover)}</title>{draw_mark(mark.run.series, mark.x, mark.y, mark.path)}</g>"
        )
    parts += draw_axis_names(chart.frame, across, up)
    return chart_svg(replace(chart.frame, height=chart.frame.height + 4), parts, name, title, desc, key)


def bump_svg(chart: Bump, *, name: str, title: str, desc: str, key: Key = ()) -> str:
    """One line per run through the columns, its name at both ends, ranks on hover."""
    parts = [draw_text(column.x, column.name_y, column.name, "m b") for column in chart.columns]
    for line in chart.lines:
        hover = f"{line.tag}: {', '.join(str(stop.rank) for stop in line.stops)}"
        marks = "".join(draw_mark(line.series, stop.x, stop.y, stop.path, radius=5.2) for stop in line.stops)
        parts.append(
            f"<g><title>{escape(hover)}</title>{draw_path(f'ln l{line.series}', line.path)}{marks}</g>"
        )
        first, last = line.stops[0], line.stops[-1]
        parts.append(draw_text(first.x - 18, first.y + 4, f"{first.rank} {line.tag}", "e"))
        parts.append(draw_text(last.x + 18, last.y + 4, f"{last.rank} {line.tag}", ""))
    return chart_svg(chart.frame, parts, name, title, desc, key, wide=" wide")


def distribution_svg(chart: Distribution, *, name: str, title: str, desc: str, axis: str) -> str:
    """Cumulative steps, one line per people's grade, and dashed cuts."""
    frame = chart.frame
    parts = [*draw_grid(frame, chart.x_ticks, chart.y_ticks)]
    for place, cut in enumerate(chart.cuts):
        parts.append(draw_path("id", f"M{cut.at} 16V{frame.bottom}"))
        parts.append(draw_text(cut.at + (4 if place else -4), 13, cut.text, "t2" if place else "e t2"))
    classes = [f"k{min(place, 2)}" for place in range(len(chart.curves))]
    parts += [draw_path(f"ln {kind}", curve.path) for kind, curve in zip(classes, chart.curves, strict=True)]
    parts.append(draw_text((frame.left + frame.right) / 2, frame.height - 4, axis, "m"))
    key = [(kind, f"people {curve.name}") for kind, curve in zip(classes, chart.curves, strict=True)]
    return chart_svg(frame, parts, name, title, desc, key)


def grid_svg(chart: Grid, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """A confusion matrix: counts, and shares of the row as shade and text; ``axes`` names rows, columns."""
    rows, columns = axes
    middle = (chart.frame.left + chart.frame.right) / 2
    parts = [
        draw_text(middle, 16, columns, "m t2"),
        draw_text(8, (chart.frame.top + chart.frame.bottom) / 2, rows, "t2"),
    ]
    parts += [draw_text(tick.at, 36, tick.text, "m b") for tick in chart.columns]
    parts += [draw_text(64, tick.at + 4, tick.text, "e b") for tick in chart.rows]
    for cell in chart.cells:
        place = f'x="{number(cell.x)}" y="{number(cell.y)}" width="{chart.cell}" height="{chart.cell}"'
        parts.append(f'<rect class="f1" fill-opacity="{cell.opacity}" {place}/>')
        if cell.is_same_grade:
            parts.append(f'<rect class="ax" {place}/>')
        share = "–" if cell.share is None else f"{100 * cell.share:.0f} %"
        parts.append(draw_text(cell.middle[0], cell.middle[1] + 1, f"{cell.count:,}", "m b"))
        parts.append(draw_text(cell.middle[0], cell.middle[1] + 16, share, "m"))
    return chart_svg(chart.frame, parts, name, title, desc, ())


def histogram_svg(chart: Histogram, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """Bars, with their ranges and counts on hover; ``axes`` names the x and the y axis."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for bar in chart.bars:
        place = f'x="{number(bar.x)}" y="{number(bar.y)}" width="{bar.width}" height="{bar.height}"'
        hover = f"{bar.start:.4g} to {bar.end:.4g}: {bar.count:,}"
        parts.append(f'<g><title>{escape(hover)}</title><rect class="f1" {place}/></g>')
    return chart_svg(chart.frame, [*parts, *draw_axis_names(chart.frame, *axes)], name, title, desc, ())


def lines_svg(chart: Lines, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """Polylines that cycle through the four colours and dashes; ``axes`` names the x and the y axis."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    key = []
    for place, line in enumerate(chart.lines):
        kind = LINE_CLASSES[place % len(LINE_CLASSES)]
        parts.append(f"<g><title>{escape(line.name)}</title>{draw_path(f'ln {kind}', line.path)}</g>")
        key.append((kind, line.name))
    return chart_svg(chart.frame, [*parts, *draw_axis_names(chart.frame, *axes)], name, title, desc, key)


def family_key(names: Sequence[str], series: Iterable[int]) -> Key:
    """The key of runs drawn by family: up to three families, and "other" if any run has no shown family."""
    shown = [(f"f{place}", name) for place, name in enumerate(names[:3], start=2)]
    return [*shown, ("f1", "other")] if shown and 1 in series else shown
