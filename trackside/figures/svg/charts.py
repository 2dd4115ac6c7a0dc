"""Lines as SVG text, and the CSS rules that a drawing needs as a separate file."""

import io
from collections.abc import Mapping, Sequence
from html import escape

from trackside.errors import InputError
from trackside.figures.axes import Axis, Frame, number
from trackside.figures.series import RULES as SERIES_RULES
from trackside.figures.svg.elements import (
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_path,
    draw_series_mark,
)

LINES = Frame(width=420, height=300, left=48, right=408, top=22, bottom=256)
_RULES = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#1a2027}.t2{fill:#4c5661}"
    ".m{text-anchor:middle}"
    ".e{text-anchor:end}.b{font-weight:650}.grd,.ax,.id,.ln,.zero,.bare{fill:none;stroke:#dce1e6}"
    ".ax{stroke:#7d8893}"
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


def lines_svg(
    points: Mapping[str, Sequence[tuple[float, float]]],
    series: Mapping[str, str],
    *,
    name: str,
    title: str,
    desc: str,
    axes: tuple[str, str],
) -> str:
    """Named lines of points from 0 to 1, with the marks of their series; ``axes`` names the x and y axes."""
    across, up = Axis(0.0, 1.0, LINES.left, LINES.right), Axis(0.0, 1.0, LINES.bottom, LINES.top)
    parts = [*draw_grid(LINES, across.ticks(), up.ticks())]
    for line, ends in points.items():
        placed = [(across.at(x), up.at(y)) for x, y in ends]
        path = draw_path(f"{series[line]} sl", "M" + "L".join(f"{number(x)} {number(y)}" for x, y in placed))
        marks = "".join(draw_series_mark(series[line], x, y, radius=3.8) for x, y in placed)
        parts.append(f"<g><title>{escape(line)}</title>{path}{marks}</g>")
    parts += draw_axis_names(LINES, *axes)
    return chart_svg(LINES, parts, name, title, desc, [(series[line], line) for line in points])


def pdf_of(svg: str) -> bytes:
    """Return one page of the drawing's size; equal drawings give equal bytes. Raises InputError."""
    try:
        from reportlab import rl_config  # of the extra pdf
        from reportlab.graphics import renderPDF
        from svglib.svglib import svg2rlg
    except ImportError:
        raise InputError("PDF needs svglib and reportlab: pip install 'trackside[pdf]'.") from None
    rl_config.invariant = 1  # no date in the file
    # The standard PDF fonts have no glyph for U+2212 (minus sign).
    drawing = svg2rlg(io.BytesIO(standalone(svg).replace("−", "-").encode()))
    content: bytes = renderPDF.drawToString(drawing)
    return content
