"""The charts as SVG text: classes of the site's style sheet, no style attributes, title and desc.

Pages, commands and bundles use these functions; ``standalone`` adds the CSS rules that a separate file needs.
"""

from html import escape

from evaluation.core.figures.lines import Lines
from evaluation.core.figures.series import RULES as SERIES_RULES
from evaluation.core.figures.svg.elements import (
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_labels,
    draw_path,
    draw_series_mark,
)

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


def lines_svg(chart: Lines, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """Polylines with their series' dash and marks, and their names; ``axes`` names the x and the y axis."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for line in chart.lines:
        marks = "".join(draw_series_mark(line.series, x, y, radius=3.8) for x, y in line.marks)
        path = draw_path(f"{line.series} sl", line.path)
        parts.append(f"<g><title>{escape(line.name)}</title>{path}{marks}</g>")
    parts += [*draw_labels(chart.labels, chart.frame), *draw_axis_names(chart.frame, *axes)]
    return chart_svg(chart.frame, parts, name, title, desc, ())
