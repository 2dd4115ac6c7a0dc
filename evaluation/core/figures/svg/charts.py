"""The charts as SVG text: classes of the site's style sheet, no style attributes, title and desc.

Pages, commands and bundles use these functions; ``standalone`` adds the CSS rules that a separate file needs.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import number
from evaluation.core.figures.bump import NAME_ROW
from evaluation.core.figures.series import RULES as SERIES_RULES
from evaluation.core.figures.series import mark_kind
from evaluation.core.figures.svg.elements import (
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_labels,
    draw_path,
    draw_series_mark,
    draw_text,
)
from evaluation.core.figures.text_width import fitted, text_width

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.core.figures.bump import Bump
    from evaluation.core.figures.distribution import Distribution
    from evaluation.core.figures.grid import Grid
    from evaluation.core.figures.histogram import Histogram
    from evaluation.core.figures.lines import Lines
    from evaluation.core.figures.scatter import Scatter
    from evaluation.core.figures.svg.elements import Key

PANEL = 420  # a wider figure scrolls on a phone

_RULES = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#1a2027}.t2{fill:#4c5661}"
    ".m{text-anchor:middle}"
    ".e{text-anchor:end}.b{font-weight:650}.grd,.ax,.id,.ln,.zero,.bare{fill:none;stroke:#dce1e6}"
    ".ax{stroke:#7d8893}.ldr{stroke:#7d8893}"
    ".mono{font-family:monospace;font-size:11px}.band{fill:#e9edf0}.zero,.bare{stroke:#4c5661}"
    ".id{stroke:#4c5661;stroke-dasharray:4 4}.ln{stroke-width:2;stroke:#7d8893}"
    ".shade{fill:#4c5661}.g0{fill:#c2ccd5}.g1{fill:#4a8fc4}.g2{fill:#0b4f86}"
    ".k0{stroke:#4c5661;stroke-dasharray:2 3}.k1{stroke:#4a8fc4;stroke-dasharray:8 3}.k2{stroke:#0b4f86}"
)


def standalone(svg: str) -> str:
    """Return the drawing as a separate file: with CSS rules and a white background."""
    head, _, rest = svg.partition(">")
    width, height = head.split('viewBox="0 0 ')[1].split('"')[0].split()
    size = f'width="{width}" height="{height}"'
    sized = "" if size in head else f" {size}"  # reports of earlier versions
    background = f'<rect {size} fill="#fff"/>'
    return f"{head}{sized}><style>{_RULES}{SERIES_RULES}</style>{background}{rest}\n"


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
        run = mark.run
        hover = f"{run.tag}: {across} {run.across:.4f}, {up} {run.up:.4f}"
        drawn = draw_path(mark_kind(run.series, is_filled=run.is_filled), mark.path)
        parts.append(f"<g><title>{escape(hover)}</title>{drawn}</g>")
    parts += draw_axis_names(chart.frame, across, up)
    return chart_svg(replace(chart.frame, height=chart.frame.height + 4), parts, name, title, desc, key)


def bump_svg(chart: Bump, *, name: str, title: str, desc: str, key: Key = ()) -> str:
    """One line per run through the columns, its name at the left, ranks on hover."""
    parts = []
    for column in chart.columns:
        kind = "m b" if column.series.startswith("p") else "m"
        hairline = f"M{column.text_x} {column.text_y + 3}L{column.x} {chart.head - 6}"
        is_moved = chart.head - column.text_y > 2 * NAME_ROW or column.text_x != column.x
        text = draw_text(column.text_x, column.text_y, column.text, kind)
        drawn = draw_path("grd ldr", hairline) if is_moved else ""
        sign = draw_series_mark(column.series, column.x, chart.head, radius=4.2)
        parts.append(f"<g><title>{escape(column.name)}</title>{drawn}{text}{sign}</g>")
    for line in chart.lines:
        hover = f"{line.tag}: {', '.join(str(stop.rank) for stop in line.stops)}"
        weak = "sl" if line.series == "fam" else "sw"
        marks = "".join(
            draw_path(mark_kind(line.series, is_filled=weak == "sl"), stop.path) for stop in line.stops
        )
        path = draw_path(f"{line.series} {weak}", line.path)
        parts.append(f"<g><title>{escape(hover)}</title>{path}{marks}</g>")
        text = "e mono" if line.series == "fam" else "e mono t2"
        if line.name:
            parts.append(draw_text(chart.frame.left - 12, line.stops[0].y + 4, line.name, text))
    if chart.lines:
        x = chart.frame.right + 8
        parts += [
            draw_text(x, y + 4, str(rank), "t2")
            for y, rank in {chart.frame.top: 1, chart.frame.bottom: len(chart.lines)}.items()
        ]
    return chart_svg(chart.frame, parts, name, title, desc, key, " wide" if chart.frame.width > PANEL else "")


def distribution_svg(chart: Distribution, *, name: str, title: str, desc: str, axis: str) -> str:
    """Cumulative steps, one line per people's grade, and dashed cuts."""
    frame = chart.frame
    parts = [*draw_grid(frame, chart.x_ticks, chart.y_ticks)]
    for place, cut in enumerate(chart.cuts):
        parts.append(draw_path("id", f"M{cut.at} 16V{frame.bottom}"))
        width = text_width(cut.text)
        x = min(cut.at + 4, frame.width - width - 1) if place else max(cut.at - 4, width + 1)
        parts.append(draw_text(x, 13, cut.text, "t2" if place else "e t2"))
    classes = [f"k{min(place, 2)}" for place in range(len(chart.curves))]
    parts += [draw_path(f"ln {kind}", curve.path) for kind, curve in zip(classes, chart.curves, strict=True)]
    parts.append(draw_text((frame.left + frame.right) / 2, frame.height - 4, axis, "m"))
    key = [(kind, f"people {curve.name}") for kind, curve in zip(classes, chart.curves, strict=True)]
    return chart_svg(frame, parts, name, title, desc, key)


def grid_svg(
    chart: Grid, *, name: str, title: str, desc: str, axes: tuple[str, str], series: str = "p1"
) -> str:
    """A confusion matrix: counts, and shares of the row as shade and text; ``axes`` names rows, columns.

    ``series`` is the class of the set of qrels in the columns.
    """
    rows, columns = axes
    middle = (chart.frame.left + chart.frame.right) / 2
    shown = fitted(columns, chart.frame.right - chart.frame.left - 20)
    parts = [
        draw_series_mark(series, middle - text_width(shown) / 2 - 9, 12),
        draw_text(middle, 16, shown, "m t2"),
        draw_text(8, (chart.frame.top + chart.frame.bottom) / 2, rows, "t2"),
    ]
    parts += [draw_text(tick.at, 36, tick.text, "m b") for tick in chart.columns]
    parts += [draw_text(64, tick.at + 4, tick.text, "e b") for tick in chart.rows]
    for cell in chart.cells:
        place = f'x="{number(cell.x)}" y="{number(cell.y)}" width="{chart.cell}" height="{chart.cell}"'
        parts.append(f'<rect class="shade" fill-opacity="{cell.opacity}" {place}/>')
        if cell.is_same_grade:
            parts.append(f'<rect class="ax" {place}/>')
        share = "–" if cell.share is None else f"{100 * cell.share:.0f} %"
        parts.append(draw_text(cell.middle[0], cell.middle[1] + 1, f"{cell.count:,}", "m b"))
        parts.append(draw_text(cell.middle[0], cell.middle[1] + 16, share, "m"))
    return chart_svg(chart.frame, parts, name, title, desc, ())


def histogram_svg(
    chart: Histogram, series: str, *, name: str, title: str, desc: str, axes: tuple[str, str]
) -> str:
    """Bars in the colour of the series, with their ranges and counts on hover; ``axes`` names x and y."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for bar in chart.bars:
        place = f'x="{number(bar.x)}" y="{number(bar.y)}" width="{bar.width}" height="{bar.height}"'
        hover = f"{bar.start:.4g} to {bar.end:.4g}: {bar.count:,}"
        parts.append(f'<g><title>{escape(hover)}</title><rect class="{series} sf" {place}/></g>')
    return chart_svg(chart.frame, [*parts, *draw_axis_names(chart.frame, *axes)], name, title, desc, ())


def lines_svg(chart: Lines, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """Polylines with their series' dash and marks, and their names; ``axes`` names the x and the y axis."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for line in chart.lines:
        marks = "".join(draw_series_mark(line.series, x, y, radius=3.8) for x, y in line.marks)
        path = draw_path(f"{line.series} sl", line.path)
        parts.append(f"<g><title>{escape(line.name)}</title>{path}{marks}</g>")
    parts += [*draw_labels(chart.labels, chart.frame), *draw_axis_names(chart.frame, *axes)]
    return chart_svg(chart.frame, parts, name, title, desc, ())


def family_key(focus: str, series: Iterable[str]) -> Key:
    """The key of runs drawn by family, without what the figure does not show."""
    shown = set(series)
    names = {"fam": ("fam sf:2", focus), "oth": ("oth sh:1", "other runs")}
    return [sign for name, sign in names.items() if name in shown and focus]
