"""Bars: a topic's count or a run's gap on it side by side, and the shares of grades stacked in a row."""

from collections.abc import Callable, Iterator, Sequence
from html import escape

from trackside.figures.axes import Axis, Frame, Tick, number
from trackside.figures.shades import shade_of
from trackside.figures.svg.elements import (
    chart_svg,
    draw_columns,
    draw_path,
    draw_series_mark,
    draw_text,
    draw_y_ticks,
    fitted,
    text_width,
)

COUNTS = Frame(width=892, height=122, left=50, right=886, top=20, bottom=100)
GAPS = Frame(width=892, height=190, left=50, right=886, top=12, bottom=168)
FILLED = 0.7  # share of a bar's slot; the rest is the gap between bars
WIDEST = 24.0


def counts_svg(
    counts: Sequence[tuple[str, int]], *, name: str, title: str, desc: str, frame: Frame = COUNTS
) -> str:
    """Draw pairs of topic and count; the axis goes from 0 to the largest count."""
    axis = Axis(0.0, max((count for _, count in counts), default=0) or 1, frame.bottom, frame.top)
    return chart_svg(frame, _bars(counts, axis, frame, 2, "{:,}".format), name, title, desc, (), " wide")


def gaps_svg(
    gaps: Sequence[tuple[str, float | None]],
    *,
    up: tuple[float, float],
    name: str,
    title: str,
    desc: str,
    frame: Frame = GAPS,
) -> str:
    """Draw pairs of topic and gap on an axis that holds ``up`` and zero; None has no bar."""
    axis = Axis(min(up[0], 0.0), max(up[1], 0.0), frame.bottom, frame.top)
    return chart_svg(frame, _bars(gaps, axis, frame, 4, "{:+.4f}".format), name, title, desc, (), " wide")


def _bars(
    values: Sequence[tuple[str, float | None]],
    axis: Axis,
    frame: Frame,
    tick_count: int,
    value_text: Callable[[float], str],
) -> Iterator[str]:
    slot = (frame.right - frame.left) / max(len(values), 1)
    width, zero = number(min(slot * FILLED, WIDEST)), number(axis.at(0.0))
    yield from draw_y_ticks(frame, axis.ticks(tick_count))
    for index, (name, value) in enumerate(values):
        if value:
            left, top = number(frame.left + index * slot), number(axis.at(value))
            bar = draw_path(f"{'fam' if value < 0 else 'j1'} sb", f"M{left} {zero}V{top}h{width}V{zero}z")
            hover = escape(f"{name}: {value_text(value)}".replace("-", "−"))
            yield f"<g><title>{hover}</title>{bar}</g>"
    yield draw_path("ax", f"M{number(frame.left)} {zero}H{number(frame.right)}")
    if values:
        yield draw_text(frame.left, frame.bottom + 16, values[0][0], "t2")
        yield draw_text(frame.right, frame.bottom + 16, values[-1][0], "e t2")


MOST_NAME = 240.0
ROW, BAR, BREAK = 22, 16, 8
GAP = 0.5  # between two grades, so that their shade is not the only difference

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
    for grade, share in zip(scale, shares, strict=False):
        left, right = across.at(start), across.at(start + share)
        start += share
        if share:
            width = round(max(right - left - GAP, 0), 1)
            box = f'x="{number(left)}" y="{number(y)}" width="{width}" height="{BAR}"'
            hover = escape(f"{bar}: grade {grade}, {100 * share:.0f} %")
            shade = shade_of(grade, scale).css
            yield f'<g><title>{hover}</title><rect class="{shade}" {box}/></g>'
