"""The reliability curve: the share that came true against the predicted chance, by tenths of the chance."""

from collections.abc import Sequence
from html import escape

from trackside.figures.axes import Axis, Frame
from trackside.figures.svg.elements import chart_svg, draw_axis_names, draw_grid, draw_path, draw_series_mark

FRAME = Frame(width=320, height=300, left=44, right=308, top=24, bottom=256)
FEW = 10  # pairs; a mark of fewer is hollow


def reliability_svg(
    bins: Sequence[tuple[int, float, float]], *, name: str, title: str, across: str, up: str
) -> str:
    """Draw a mark for each count, chance and share; dashed: the chances that came true."""
    x, y = Axis(0.0, 1.0, FRAME.left, FRAME.right), Axis(0.0, 1.0, FRAME.bottom, FRAME.top)
    parts = [*draw_grid(FRAME, x.ticks(), y.ticks()), *draw_axis_names(FRAME, across, up)]
    parts.append(draw_path("id", f"M{FRAME.left} {FRAME.bottom}L{FRAME.right} {FRAME.top}"))
    for count, chance, share in bins:
        mark = draw_series_mark("j1", x.at(chance), y.at(share), is_filled=count >= FEW)
        hover = escape(f"{count:,} pairs: chance {chance:.2f}, came true {share:.2f}")
        parts.append(f"<g><title>{hover}</title>{mark}</g>")
    return chart_svg(FRAME, parts, name, title, f"{len(bins)} tenths of the chances.", ())
