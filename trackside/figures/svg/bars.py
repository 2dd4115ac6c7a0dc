"""Bars side by side: a topic's count, or a run's gap on it, upwards for a gain and downwards for a loss."""

from collections.abc import Callable, Iterator, Sequence
from html import escape

from trackside.figures.axes import Axis, Frame, number
from trackside.figures.svg.elements import chart_svg, draw_path, draw_text, draw_y_ticks

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
