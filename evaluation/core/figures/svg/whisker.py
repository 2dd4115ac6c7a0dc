"""Interval in a table cell: a whisker from low to high, the mark of its series, and a tick for a ceiling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Axis, Frame, number
from evaluation.core.figures.svg.elements import draw_path, draw_series_mark

if TYPE_CHECKING:
    from evaluation.core.statistics.estimate import Interval

CELL = Frame(width=88, height=18, left=6, right=82, top=0, bottom=18)
MIDDLE, RADIUS = 9, 4.2
SIGN = 12  # side of the mark beside a name


def whisker_svg(value: float | None, interval: Interval | None, ceiling: float | None, *, series: str) -> str:
    """Draw a value from 0 to 1; one outside is drawn at the edge. A mark without a whisker is hollow."""
    axis = Axis(0.0, 1.0, CELL.left, CELL.right)

    def place(at: float) -> float:
        return axis.at(min(max(at, axis.low), axis.high))

    parts = [draw_path("grd", f"M{CELL.left} {MIDDLE}H{CELL.right}")]
    if ceiling is not None:
        parts.append(draw_path("ln", f"M{number(place(ceiling))} 2V16"))
    low, high = (interval.low, interval.high) if interval else (None, None)
    if low is not None and high is not None:
        parts.append(draw_path(f"{series} si", f"M{number(place(low))} {MIDDLE}H{number(place(high))}"))
    if value is not None:
        parts.append(draw_series_mark(series, place(value), MIDDLE, radius=RADIUS, is_filled=low is not None))
    size = f'width="{CELL.width:g}" height="{CELL.height:g}" viewBox="0 0 {CELL.width:g} {CELL.height:g}"'
    return f'<svg class="whisk" {size} aria-hidden="true">{"".join(parts)}</svg>'


def sign_svg(series: str) -> str:
    """Draw the mark of a series for use beside its name in a table."""
    mark = draw_series_mark(series, SIGN / 2, SIGN / 2)
    return f'<svg class="mkey" viewBox="0 0 {SIGN} {SIGN}" aria-hidden="true">{mark}</svg>'
