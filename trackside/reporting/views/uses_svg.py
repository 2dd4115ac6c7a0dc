"""Marks and whiskers of the table of uses."""

from trackside.figures.axes import Axis, number
from trackside.figures.svg.elements import draw_path
from trackside.findings.use_results import UseCode
from trackside.reporting.views.whiskers import Whisker

WIDTH, HEIGHT, EDGE = 112, 22, 6
SIDE = 14  # of a mark
MARKS = {
    UseCode.AS_PEOPLE: '<circle cx="7" cy="7" r="5.5"/>',
    UseCode.DIFFERS: '<path d="M2 2 12 12M12 2 2 12"/>',
    UseCode.OPEN: '<path d="M1 7H13"/>',
}
CLASSES = {UseCode.AS_PEOPLE: "ua", UseCode.DIFFERS: "ud", UseCode.OPEN: "uo"}


def mark_svg(code: UseCode) -> str:
    """The mark of a code: a filled circle, a cross or a dash, to be told apart without colour."""
    return _svg(f"um {CLASSES[code]}", SIDE, SIDE, MARKS[code])


def whisker_svg(whisker: Whisker) -> str:
    """Draw a value with its interval, margins, chance and people; the axis cuts off what is beyond it."""
    axis = Axis(*whisker.axis, EDGE, WIDTH - EDGE)
    parts = []
    if whisker.chance:
        parts.append(_box("chance", axis, whisker.chance))
    if whisker.people:
        parts.append(_box("band", axis, whisker.people))
    parts.append(_line("zero", axis, 0.0, 0, HEIGHT))
    parts += [_line("mg", axis, margin, 0, HEIGHT) for margin in whisker.margins]
    if whisker.tick is not None:
        parts.append(_line("pop", axis, whisker.tick, 0, HEIGHT / 2))
    if whisker.low is not None and whisker.high is not None:
        low, high = (number(_inside(axis, end)) for end in (whisker.low, whisker.high))
        parts.append(draw_path("wl", f"M{low} {HEIGHT / 2:g}H{high}"))
    if whisker.value is not None:
        parts.append(_line("wd", axis, whisker.value, 4, HEIGHT - 4))
    return _svg("wk", WIDTH, HEIGHT, "".join(parts))


def _inside(axis: Axis, value: float) -> float:
    return axis.at(min(max(value, axis.low), axis.high))


def _line(kind: str, axis: Axis, value: float, top: float, bottom: float) -> str:
    return draw_path(kind, f"M{number(_inside(axis, value))} {top:g}V{bottom:g}")


def _box(kind: str, axis: Axis, ends: tuple[float, float]) -> str:
    left, right = (number(_inside(axis, end)) for end in ends)
    return draw_path(kind, f"M{left} 3H{right}V{HEIGHT - 3}H{left}z")


def _svg(kind: str, width: int, height: int, content: str) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg class="{kind}" {size} aria-hidden="true">{content}</svg>'
