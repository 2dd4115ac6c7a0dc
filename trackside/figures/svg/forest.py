"""Values with intervals on one axis: a forest plot, and whiskers in the cells of a table with its bars."""

from collections.abc import Iterable, Iterator, Sequence
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


CELL = Frame(width=112, height=42, left=8, right=104, top=-99, bottom=141)  # lines cross higher rows, too
MIDDLE = 21
SIGN = 12  # side of the mark beside a name
HEAD = 16  # height of the axis above a column


@dataclass(frozen=True, slots=True)
class WhiskerAxis:
    """The axis of a column, with the band that all its rows show."""

    axis: Axis
    band: tuple[float, float] | None = None
    is_signed: bool = False

    def head_svg(self) -> str:
        """Draw the texts of the ticks, to stand above the column."""
        texts = [
            draw_text(tick.at, 12, _signed(tick.text) if self.is_signed else tick.text, "m t2")
            for tick in self.axis.ticks(3)
        ]
        return _svg("wk axis", CELL.width, HEAD, texts)

    def whisker_svg(self, value: float | None, low: float | None, high: float | None, *, series: str) -> str:
        """Draw a value with its interval in the column's cell. A mark without an interval is hollow."""
        parts = []
        if self.band:
            start, end = (self.axis.at(value) for value in self.band)
            parts.append(draw_path("band", _box(start, end, CELL.top, CELL.bottom)))
        for tick in self.axis.ticks(3):
            kind = "zero" if tick.at == self.axis.at(0.0) else "grd"
            parts.append(draw_path(kind, f"M{number(tick.at)} {CELL.top:g}V{CELL.bottom:g}"))
        if low is not None and high is not None:
            ends = number(self.axis.at(low)), number(self.axis.at(high))
            parts.append(draw_path(f"{series} si", f"M{ends[0]} {MIDDLE}H{ends[1]}"))
        if value is not None:
            parts.append(draw_series_mark(series, self.axis.at(value), MIDDLE, is_filled=low is not None))
        return _svg("wk", CELL.width, CELL.height, parts)


def shared_axis(
    values: Iterable[float | None],
    *fixed: float,
    band: tuple[float, float] | None = None,
    is_signed: bool = False,
) -> WhiskerAxis:
    """The axis that holds all values and those that are ``fixed``; values that are None do not count."""
    ends = padded_range([*fixed, *(band or ()), *(value for value in values if value is not None)], share=0)
    return WhiskerAxis(Axis(*ends, CELL.left, CELL.right), band, is_signed)


def sign_svg(series: str) -> str:
    """Draw the mark of a series for use beside its name in a table."""
    mark = draw_series_mark(series, SIGN / 2, SIGN / 2)
    return f'<svg class="mkey" viewBox="0 0 {SIGN} {SIGN}" aria-hidden="true">{mark}</svg>'


def _signed(text: str) -> str:
    is_above_zero = not text.startswith("−") and any(digit in text for digit in "123456789")
    return f"+{text}" if is_above_zero else text


def _box(left: float, right: float, top: float, bottom: float) -> str:
    if left == right:
        return ""
    return f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"


def _svg(kind: str, width: float, height: float, parts: Iterable[str]) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg class="{kind}" {size} aria-hidden="true">{"".join(parts)}</svg>'
