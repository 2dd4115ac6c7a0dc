"""Stacked bars: the shares of each grade, one bar per row."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick

LETTER, MOST_NAME = 7.2, 240.0
ROW, BAR, BREAK = 22, 16, 8
LIGHTEST, DARKEST = 0.12, 0.95


@dataclass(frozen=True, slots=True)
class Part:
    """The share of one grade, starting at `x`."""

    grade: int
    share: float
    x: float
    width: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Stack:
    """One bar and its name; a bar without items has no parts."""

    name: str
    y: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Stacks:
    """Ticks of the shares, the bars from top to bottom, and the shade of each grade."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    bars: tuple[Stack, ...]
    shades: tuple[float, ...]


def stacks(groups: Sequence[Sequence[tuple[str, Sequence[float] | None]]], scale: Sequence[int]) -> Stacks:
    """Place groups of named bars; a bar is the share of each grade of the scale, None without items."""
    names = [name for group in groups for name, _ in group]
    left = 14 + min(MOST_NAME, LETTER * max(map(len, names), default=0))
    height = ROW * len(names) + BREAK * max(len(groups) - 1, 0)
    frame = Frame(left + 332, 12 + height + 38, left, left + 308, 12, 12 + height)
    axis = Axis(0.0, 1.0, frame.left, frame.right)
    steps = max(len(scale) - 1, 1)
    shades = tuple(round(LIGHTEST + (DARKEST - LIGHTEST) * at / steps, 2) for at in range(len(scale)))
    bars, y = [], frame.top
    for group in groups:
        for name, shares in group:
            bars.append(Stack(name, y, _parts(shares, scale, shades, axis) if shares else ()))
            y += ROW
        y += BREAK
    ticks = tuple(Tick(axis.at(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100))
    return Stacks(frame, ticks, tuple(bars), shades)


def _parts(
    shares: Sequence[float], scale: Sequence[int], shades: Sequence[float], axis: Axis
) -> tuple[Part, ...]:
    parts, start = [], 0.0
    for grade, share, shade in zip(scale, shares, shades, strict=True):
        left, right = axis.at(start), axis.at(start + share)
        if share:
            parts.append(Part(grade, share, left, round(right - left, 1), shade))
        start += share
    return tuple(parts)
