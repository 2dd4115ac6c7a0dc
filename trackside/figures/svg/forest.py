"""Forest plot: one row per judge or run with its value and interval on a common axis."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from trackside.figures.axes import Axis, Frame, number, padded_range
from trackside.figures.svg.elements import (
    chart_svg,
    draw_columns,
    draw_path,
    draw_series_mark,
    draw_text,
    fitted,
    text_width,
)

MOST_NAME, PLOT, ROW = 220.0, 320.0, 24.0
TOP, FOOT, MARK = 10.0, 42.0, 16.0


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A row's name, the class of its mark, its value and interval, and the value's text."""

    name: str
    series: str
    value: float | None
    low: float | None
    high: float | None
    text: str


def forest_svg(
    rows: Sequence[ForestRow],
    *,
    name: str,
    title: str,
    desc: str,
    axis: str,
    band: tuple[float, float] | None = None,
    zero: float | None = 0.0,
    plot: float = PLOT,
) -> str:
    """Draw the rows over a grey ``band``; marks without interval are hollow, ``plot`` is the axis's width."""
    fixed = [*(band or ()), *(() if zero is None else (zero,))]
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    left = MARK + 16 + min(MOST_NAME, max((text_width(row.name) for row in rows), default=0.0))
    room = 12 + max((text_width(row.text) for row in rows), default=0.0)
    height = TOP + ROW * len(rows) + FOOT
    frame = Frame(left + plot + room, height, left, left + plot, TOP, height - FOOT)
    scale = Axis(*padded_range([*fixed, *ends], share=0.05), frame.left, frame.right)
    parts = []
    if band:
        low, high = map(scale.at, band)
        parts.append(draw_path("band", f"M{low} {frame.top}H{high}V{frame.bottom}H{low}z"))
    parts += draw_columns(frame, scale.ticks(), axis)
    if zero is not None:
        parts.append(draw_path("zero", f"M{scale.at(zero)} {frame.top}V{frame.bottom}"))
    for index, row in enumerate(rows):
        parts_of_row = "".join(_row(row, scale, frame, frame.top + ROW * (index + 0.5)))
        parts.append(f"<g><title>{escape(f'{row.name}: {row.text}')}</title>{parts_of_row}</g>")
    return chart_svg(frame, parts, name, title, desc, (), " wide")


def _row(row: ForestRow, scale: Axis, frame: Frame, y: float) -> Iterator[str]:
    yield draw_series_mark(row.series, MARK / 2, y)
    yield draw_text(MARK + 4, y + 4, fitted(row.name, frame.left - MARK - 12), "")
    has_ends = row.low is not None and row.high is not None
    if row.low is not None and row.high is not None:
        line = f"M{number(scale.at(row.low))} {number(y)}H{number(scale.at(row.high))}"
        yield draw_path(f"{row.series} si", line)
    if row.value is not None:
        yield draw_series_mark(row.series, scale.at(row.value), y, is_filled=has_ends)
    yield draw_text(frame.right + 8, y + 4, row.text, "t2")
