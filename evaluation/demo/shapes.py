"""The shapes of things and of scenery, read from a data file."""

import math
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from PIL import ImageColor

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, ...]
STEPS = 24  # corners of a circle


@dataclass(frozen=True)
class Shape:
    """A filled polygon or, with a width, a line, in coordinates of about -1 to 1, y downwards."""

    paint: str
    points: tuple[Point, ...]
    width: float = 0.0


@cache
def read_shape(text: str) -> Shape:
    """Read a shape such as "box dark -1 0  1 0.5": kind, paint, and numbers."""
    kind, paint, *numbers = text.split()
    values = [float(number) for number in numbers]
    width = values.pop(0) if kind == "line" else 0.0
    points = tuple(zip(values[::2], values[1::2], strict=True))
    if kind in {"area", "line"}:
        return Shape(paint, points, width)
    (left, top), (right, bottom) = points
    if kind == "box":
        return Shape(paint, ((left, top), (right, top), (right, bottom), (left, bottom)))
    angles = [math.tau * step / STEPS for step in range(STEPS // (2 if kind == "dome" else 1) + 1)]
    x, y, half_width, half_height = (
        (left + right) / 2,
        (top + bottom) / 2,
        (right - left) / 2,
        (bottom - top) / 2,
    )
    return Shape(paint, tuple((x + half_width * math.cos(a), y - half_height * math.sin(a)) for a in angles))


def colour_of(text: str) -> Colour:
    """Read a colour such as "#ff8000"."""
    return ImageColor.getrgb(text)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """Mix two colours; `share` is the second's."""
    return tuple(round(one + (other - one) * share) for one, other in zip(first, second, strict=True))
