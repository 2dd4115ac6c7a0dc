"""SVG parts of all charts: text, paths, marks, grids, keys, and the SVG element around them."""

from collections.abc import Iterable, Sequence
from html import escape

from trackside.figures.axes import Frame, Tick, number
from trackside.figures.series import mark_kind, mark_place, series_mark

Key = Sequence[tuple[str, str]]
"""Symbols and texts. A symbol is k0 to k4 (a grade's line), j3 or p1 (a series' line and mark), or the
classes of a mark and its number, such as "fam sf:2"."""

KEY_ROW = 18
NARROW = 320.0  # width up to which three charts fit beside each other
LINE_SIGN, SIGN = 24.0, 16.0  # width of a line's symbol, and of any other symbol


def chart_svg(
    frame: Frame, parts: Iterable[str], name: str, title: str, desc: str, key: Key, wide: str = ""
) -> str:
    """Build the SVG element with its key below; title and desc are for screen readers."""
    keyed, height = _keyed(key, frame)
    broad = " broad" if frame.width > NARROW else ""
    label = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(desc)}</desc>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart{wide}{broad}" '
        f'width="{number(frame.width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(frame.width)} {number(height)}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
    )
    return f"{head}{label}{''.join(parts)}{keyed}</svg>"


def _keyed(key: Key, frame: Frame) -> tuple[str, float]:
    """Build the key below the chart, in as many rows as it needs, and return the total height."""
    x, y, parts = 8.0, frame.height + KEY_ROW - 6, []
    for kind, name in key:
        sign = SIGN if ":" in kind else LINE_SIGN
        text = fitted(name, frame.width - sign - 16)
        width = sign + 20 + text_width(text)
        if x > 8 and x + width > frame.width:
            x, y = 8.0, y + KEY_ROW
        parts.append(_sign(kind, x, y - 4))
        parts.append(draw_text(x + sign + 6, y, text, ""))
        x += width
    return "".join(parts), y + 6 if key else frame.height


def _sign(kind: str, x: float, y: float) -> str:
    if ":" in kind:
        classes, _, mark_number = kind.partition(":")
        return draw_path(classes, series_mark(int(mark_number), x + 8, y))
    line = f"M{number(x)} {number(y)}h{number(LINE_SIGN)}"
    mark = "" if kind.startswith("k") else draw_series_mark(kind, x + LINE_SIGN / 2, y)
    return draw_path(line_kind(kind), line) + mark


def line_kind(series: str) -> str:
    """Classes of the line of a grade (k0) or a series (j3)."""
    return f"ln {series}" if series.startswith("k") else f"{series} sl"


def draw_grid(frame: Frame, x_ticks: Sequence[Tick], y_ticks: Sequence[Tick]) -> Iterable[str]:
    """Draw horizontal lines at the y ticks, and the texts of all ticks."""
    for tick in x_ticks:
        yield draw_text(tick.at, frame.bottom + 16, tick.text, "m t2")
    yield from draw_y_ticks(frame, y_ticks)
    yield draw_path("ax", f"M{frame.left} {frame.bottom}H{frame.right}")


def draw_y_ticks(frame: Frame, ticks: Sequence[Tick]) -> Iterable[str]:
    """Draw horizontal lines at the ticks of the y axis, and their texts."""
    for tick in ticks:
        yield draw_path("grd", f"M{frame.left} {tick.at}H{frame.right}")
        yield draw_text(frame.left - 6, tick.at + 4, tick.text, "e t2")


def draw_columns(frame: Frame, ticks: Sequence[Tick], name: str) -> Iterable[str]:
    """Draw vertical lines at the ticks of the x axis, their texts, and the name of the axis."""
    for tick in ticks:
        yield draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}")
        yield draw_text(tick.at, frame.bottom + 16, tick.text, "m t2")
    yield draw_text((frame.left + frame.right) / 2, frame.bottom + 34, name, "m")


def draw_axis_names(frame: Frame, across: str, up: str) -> list[str]:
    """Draw the axis names below the x axis and above the y axis."""
    middle = (frame.left + frame.right) / 2
    half = min(middle, frame.width - middle)
    return [
        draw_text(middle, frame.bottom + 34, fitted(across, 2 * half), "m"),
        draw_text(0, 10, fitted(up, frame.width), ""),
    ]


def draw_series_mark(series: str, x: float, y: float, *, radius: float = 4.6, is_filled: bool = True) -> str:
    """Draw the mark of a series."""
    return draw_path(
        mark_kind(series, is_filled=is_filled), series_mark(mark_place(series), x, y, radius=radius)
    )


def draw_path(kind: str, path: str) -> str:
    """Draw a path with CSS classes; an empty path draws nothing."""
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def draw_text(x: float, y: float, text: str, kind: str) -> str:
    """Draw escaped text with CSS classes."""
    classed = f' class="{kind}"' if kind else ""
    return f'<text x="{number(x)}" y="{number(y)}"{classed}>{escape(text)}</text>'


SIZE = 12.0  # px, as in the style sheet
# Widths in em, at least those of DejaVu Sans, the widest of the usual fonts.
_WIDTHS = (
    dict.fromkeys("ijl|'.,:;!I ()[]", 0.40) | dict.fromkeys('frt-/"', 0.46) | dict.fromkeys("szck", 0.59)
)
_WIDTHS |= dict.fromkeys("mwMWOQ@%", 1.0) | dict.fromkeys("ABCDEFGHKLNPRSTUVXYZJ+−<>=", 0.84)
_OTHER = 0.65
_CUT = "…"


def text_width(text: str) -> float:
    """An upper bound of the width of a line of text in px."""
    # A character beyond Latin may be as wide as it is high.
    return SIZE * sum(_WIDTHS.get(char, _OTHER if ord(char) < 0x2E80 else 1.0) for char in text)


def fitted(text: str, width: float) -> str:
    """The text, cut with an ellipsis if it is wider than ``width``."""
    if text_width(text) <= width:
        return text
    start = text
    while start and text_width(start + _CUT) > width:
        start = start[:-1]
    return start + _CUT if start else ""
