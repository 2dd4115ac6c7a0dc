"""Stacked bars as SVG text: the shares of each grade, one bar per row."""

from collections.abc import Iterator, Sequence
from html import escape

from trackside.figures.axes import Axis, Frame, Tick, number
from trackside.figures.svg.elements import (
    chart_svg,
    draw_columns,
    draw_series_mark,
    draw_text,
    fitted,
    text_width,
)

MOST_NAME = 240.0
ROW, BAR, BREAK = 22, 16, 8
SHADES = 3  # classes of the ramp of grades in the style sheet; longer scales have shades of the last one
LIGHTEST = 0.15

NamedShares = tuple[str, str, Sequence[float] | None]
"""Name, class, and the share of each grade of the scale; None or empty without items."""


def stacks_svg(
    groups: Sequence[Sequence[NamedShares]],
    scale: Sequence[int],
    *,
    name: str,
    title: str,
    desc: str,
    axis: str,
) -> str:
    """Groups of named bars of shaded parts, the lightest for the lowest grade; shares on hover."""
    names = [bar for group in groups for bar, *_ in group]
    left = 32 + min(MOST_NAME, max(map(text_width, names), default=0.0))
    height = ROW * len(names) + BREAK * max(len(groups) - 1, 0)
    frame = Frame(left + 332, 12 + height + 38, left, left + 308, 12, 12 + height)
    across = Axis(0.0, 1.0, frame.left, frame.right)
    ticks = [Tick(across.at(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100)]
    parts, y = [*draw_columns(frame, ticks, axis)], frame.top
    for group in groups:
        for bar, series, shares in group:
            parts.append(draw_text(frame.left - 8, y + BAR - 4, fitted(bar, frame.left - 26), "e"))
            parts.append(draw_series_mark(series, 8, y + BAR / 2))
            parts += _segments(bar, shares or (), scale, across, y)
            y += ROW
        y += BREAK
    return chart_svg(frame, parts, name, title, desc, (), " wide")


def _segments(
    bar: str, shares: Sequence[float], scale: Sequence[int], across: Axis, y: float
) -> Iterator[str]:
    start = 0.0
    for grade, share, shade in zip(scale, shares, _shades(len(scale)), strict=False):
        left, right = across.at(start), across.at(start + share)
        start += share
        if share:
            box = f'x="{number(left)}" y="{number(y)}" width="{round(right - left, 1)}" height="{BAR}"'
            hover = escape(f"{bar}: grade {grade}, {100 * share:.0f} %")
            yield f"<g><title>{hover}</title><rect {shade} {box}/></g>"


def _shades(count: int) -> list[str]:
    """The attributes of each grade's shade."""
    if count <= SHADES:
        return [f'class="g{grade}"' for grade in range(count)]
    step = (1 - LIGHTEST) / (count - 1)
    alphas = (round(LIGHTEST + step * shade, 2) for shade in range(count))
    return [f'class="g{SHADES - 1}"' + (f' fill-opacity="{alpha}"' if alpha != 1 else "") for alpha in alphas]
