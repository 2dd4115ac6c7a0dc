"""Lines and cumulative shares as SVG text, and drawings as files of their own, with CSS rules or as PDF."""

import io
from collections.abc import Iterator, Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.figures.axes import Axis, Frame, Tick, number, padded_range
from trackside.figures.series import RULES as SERIES_RULES
from trackside.figures.svg.elements import (
    Key,
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_path,
    draw_series_mark,
    draw_text,
    line_kind,
)

LINES = Frame(width=420, height=300, left=48, right=408, top=22, bottom=256)
_RULES = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#1a2027}.t2{fill:#4c5661}"
    ".m{text-anchor:middle}"
    ".e{text-anchor:end}.b{font-weight:650}.grd,.ax,.id,.ln,.zero,.bare{fill:none;stroke:#dce1e6}"
    ".ax{stroke:#7d8893}"
    ".mono{font-family:monospace;font-size:11px}.band{fill:#e9edf0}.zero,.bare{stroke:#4c5661}"
    ".id{stroke:#4c5661;stroke-dasharray:4 4}.ln{stroke-width:2;stroke:#7d8893}"
    ".shade{fill:#4c5661}.g0{fill:#c2ccd5}.g1{fill:#86adcc}.g2{fill:#498ec3}.g3{fill:#296da4}.g4{fill:#0a4d83}"
    ".k0,.k1{stroke:#4c5661;stroke-dasharray:2 3}.k1{stroke-dasharray:5 3}"
    ".k2{stroke:#498ec3;stroke-dasharray:8 3}.k3{stroke:#296da4;stroke-dasharray:14 3}.k4{stroke:#0a4d83}"
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


PANEL = Frame(width=300, height=254, left=46, right=292, top=20, bottom=216)


def cumulative_svg(
    groups: Mapping[str, ArrayLike],
    series: Mapping[str, str],
    *,
    name: str,
    title: str,
    desc: str,
    axis: str,
    cuts: Mapping[str, float] | None = None,
    across: tuple[float, float] | None = None,
    frame: Frame = PANEL,
) -> str:
    """Draw a line for each named group of finite values; ``cuts`` are vertical lines by their texts."""
    ordered = {group: np.sort(np.asarray(values, dtype=np.float64)) for group, values in groups.items()}
    nonempty = {group: values for group, values in ordered.items() if values.size}
    ends = [end for values in nonempty.values() for end in (float(values[0]), float(values[-1]))]
    x_axis = Axis(*(across or padded_range(ends, share=0)), frame.left, frame.right)
    y_axis = Axis(0.0, 1.0, frame.bottom, frame.top)
    y_ticks = [Tick(y_axis.at(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100)]
    parts = [*draw_grid(frame, x_axis.ticks(4), y_ticks), *_cuts(cuts or {}, x_axis, frame)]
    for group, values in nonempty.items():
        line = draw_path(line_kind(series[group]), step_path(values, x_axis, y_axis))
        parts.append(f"<g><title>{escape(group)}</title>{line}</g>")
    parts.append(draw_text((frame.left + frame.right) / 2, frame.height - 4, axis, "m"))
    key: Key = [(series[group], group) for group in nonempty] if len(groups) > 1 else ()
    return chart_svg(frame, parts, name, title, desc, key)


def _cuts(cuts: Mapping[str, float], axis: Axis, frame: Frame) -> Iterator[str]:
    for index, (text, value) in enumerate(cuts.items()):
        x = axis.at(value)
        yield draw_path("id", f"M{number(x)} 16V{number(frame.bottom)}")
        yield draw_text(x + (4 if index else -4), 13, text, "t2" if index else "e t2")


def step_path(values: Floats, x_axis: Axis, y_axis: Axis) -> str:
    """The cumulative step line of ascending values, at most a step each half unit to bound its length."""
    width = x_axis.high - x_axis.low
    share = (values - x_axis.low) / width if width else np.full(values.size, 0.5)
    positions = x_axis.start + share * (x_axis.end - x_axis.start)
    columns = np.round(2 * np.round(positions, 1)).astype(np.int64)
    last = np.flatnonzero(np.append(np.diff(columns), 1))
    shares = (last + 1) / values.size
    steps = [
        f"H{number(column / 2)}V{number(y_axis.at(share))}"
        for column, share in zip(columns[last], shares, strict=True)
    ]
    start = f"M{number(columns[0] / 2)} {number(y_axis.start)}"
    return start + "".join(steps) + f"H{number(x_axis.end)}"
