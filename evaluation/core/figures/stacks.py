"""Stacked bars: the shares of each grade, one bar per row."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick
from evaluation.core.figures.text_width import text_width

MOST_NAME = 240.0
ROW, BAR, BREAK = 22, 16, 8
SHADES = 3  # classes of the ramp of grades in the style sheet; longer scales have shades of the last one
LIGHTEST = 0.15


@dataclass(frozen=True, slots=True)
class StackSegment:
    """The share of one grade, starting at `x`."""

    grade: int
    share: float
    x: float
    width: float
    shade: str
    opacity: float


@dataclass(frozen=True, slots=True)
class Stack:
    """One bar, its name and its judge's class; a bar without items has no parts."""

    name: str
    series: str
    y: float
    parts: tuple[StackSegment, ...]


@dataclass(frozen=True, slots=True)
class Stacks:
    """Ticks of the shares, the bars from top to bottom, and the class of each grade's shade."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    bars: tuple[Stack, ...]
    shades: tuple[tuple[str, float], ...]


NamedShares = tuple[str, str, Sequence[float] | None]
"""Name, class, and the share of each grade of the scale; None without items."""


def stacks(groups: Sequence[Sequence[NamedShares]], scale: Sequence[int]) -> Stacks:
    """Place groups of named bars; the shades are the ramp of grades."""
    names = [name for group in groups for name, *_ in group]
    left = 32 + min(MOST_NAME, max(map(text_width, names), default=0.0))
    height = ROW * len(names) + BREAK * max(len(groups) - 1, 0)
    frame = Frame(left + 332, 12 + height + 38, left, left + 308, 12, 12 + height)
    axis = Axis(0.0, 1.0, frame.left, frame.right)
    shades = _shades(len(scale))
    bars, y = [], frame.top
    for group in groups:
        for name, series, shares in group:
            bars.append(Stack(name, series, y, _parts(shares, scale, shades, axis) if shares else ()))
            y += ROW
        y += BREAK
    ticks = tuple(Tick(axis.at(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100))
    return Stacks(frame, ticks, tuple(bars), shades)


def _shades(count: int) -> tuple[tuple[str, float], ...]:
    if count <= SHADES:
        return tuple((f"g{grade}", 1.0) for grade in range(count))
    step = (1 - LIGHTEST) / (count - 1)
    return tuple((f"g{SHADES - 1}", round(LIGHTEST + step * at, 2)) for at in range(count))


def _parts(
    shares: Sequence[float], scale: Sequence[int], shades: Sequence[tuple[str, float]], axis: Axis
) -> tuple[StackSegment, ...]:
    parts, start = [], 0.0
    for grade, share, shade in zip(scale, shares, shades, strict=True):
        left, right = axis.at(start), axis.at(start + share)
        if share:
            parts.append(StackSegment(grade, share, left, round(right - left, 1), *shade))
        start += share
    return tuple(parts)
