"""SVG parts of all charts: text, paths, marks, grids, keys, and the SVG element around them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Frame, number
from evaluation.core.figures.marks import mark_path
from evaluation.core.figures.series import series_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evaluation.core.figures.axes import Tick

    Key = Sequence[tuple[str, str]]
    """Symbols and texts. A symbol is f2 (a family's mark), l2 (a line), j3 or p1 (a series' line), or classes
    and the number of a series' mark, such as "oth sf:3"."""

KEY_ROW = 18
LETTER = 8.0  # upper bound of the width of a letter of the key at 12 px


def chart_svg(
    frame: Frame, parts: Iterable[str], name: str, title: str, desc: str, key: Key, wide: str = ""
) -> str:
    """Build the SVG element with its key below; title and desc are for screen readers."""
    keyed, height = _keyed(key, frame)
    label = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(desc)}</desc>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart{wide}" '
        f'viewBox="0 0 {number(frame.width)} {number(height)}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
    )
    return f"{head}{label}{''.join(parts)}{keyed}</svg>"


def _keyed(key: Key, frame: Frame) -> tuple[str, float]:
    """Build the key below the chart, in as many rows as it needs, and return the total height."""
    x, y, parts = 8.0, frame.height + KEY_ROW - 6, []
    for kind, text in key:
        width = 30 + LETTER * len(text)
        if x > 8 and x + width > frame.width:
            x, y = 8.0, y + KEY_ROW
        parts.append(_sign(kind, x, y - 4))
        parts.append(draw_text(x + 24, y, text, ""))
        x += width
    return "".join(parts), y + 6 if key else frame.height


def _sign(kind: str, x: float, y: float) -> str:
    if ":" in kind:
        classes, _, place = kind.partition(":")
        return draw_path(classes, series_mark(int(place), x + 8, y))
    if kind.startswith("f"):
        series = int(kind[1:])
        return draw_mark(series, x + 8, y, mark_path(series, x + 8, y))
    line = f"M{number(x)} {number(y)}h18"
    return draw_path(f"{kind} sl" if kind.startswith(("j", "p")) else f"ln {kind}", line)


def draw_grid(
    frame: Frame, x_ticks: Sequence[Tick], y_ticks: Sequence[Tick], *, is_crossed: bool = False
) -> Iterable[str]:
    """Draw horizontal lines at the y ticks, vertical lines at the x ticks if crossed, and tick texts."""
    for tick in x_ticks:
        if is_crossed:
            yield draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}")
        yield draw_text(tick.at, frame.bottom + 16, tick.text, "m t2")
    for tick in y_ticks:
        yield draw_path("grd", f"M{frame.left} {tick.at}H{frame.right}")
        yield draw_text(frame.left - 6, tick.at + 4, tick.text, "e t2")
    yield draw_path("ax", f"M{frame.left} {frame.bottom}H{frame.right}")


def draw_axis_names(frame: Frame, across: str, up: str) -> list[str]:
    """Draw the axis names below the x axis and above the y axis."""
    return [
        draw_text((frame.left + frame.right) / 2, frame.bottom + 34, across, "m"),
        draw_text(0, 10, up, ""),
    ]


def draw_mark(series: int, x: float, y: float, path: str | None, *, radius: float = 4.6) -> str:
    """Draw the mark of a family's run: its path, or a circle if it has none."""
    if path:
        return draw_path(f"f{series} mk", path)
    return f'<circle class="f{series} mk" cx="{number(x)}" cy="{number(y)}" r="{radius}"/>'


def draw_path(kind: str, path: str) -> str:
    """Draw a path with CSS classes; an empty path draws nothing."""
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def draw_text(x: float, y: float, text: str, kind: str, *, dy: float = 0) -> str:
    """Draw escaped text with CSS classes."""
    classed = f' class="{kind}"' if kind else ""
    return f'<text x="{number(x)}" y="{number(y + dy)}"{classed}>{escape(text)}</text>'
