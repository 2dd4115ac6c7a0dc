"""The two kinds of shapes of a thing, in coordinates of about -1 to 1, y downwards."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[float, float]
Paint: TypeAlias = Literal[
    "main", "dark", "light", "black", "white", "brown", "grey", "green", "gold", "fire", "water"
]
"""main, dark and light follow the thing's colour in the picture; the others are fixed."""


@dataclass(frozen=True)
class Area:
    """A filled polygon."""

    paint: Paint
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Stroke:
    """A line of some width, in the same units as its points."""

    paint: Paint
    width: float
    points: tuple[Point, ...]


Shapes: TypeAlias = tuple[Area | Stroke, ...]
"""Painted in this order."""


def area(paint: Paint, *points: Point) -> Area:
    """Fill the polygon through these points."""
    return Area(paint, points)


def stroke(paint: Paint, width: float, *points: Point) -> Stroke:
    """Draw a line through these points."""
    return Stroke(paint, width, points)


def box(paint: Paint, left: float, top: float, right: float, bottom: float) -> Area:
    """Fill an upright rectangle."""
    return Area(paint, ((left, top), (right, top), (right, bottom), (left, bottom)))


def oval(paint: Paint, left: float, top: float, right: float, bottom: float) -> Area:
    """Fill the ellipse that the rectangle encloses."""
    return Area(paint, arc(left, top, right, bottom))


def dome(paint: Paint, left: float, top: float, right: float, bottom: float) -> Area:
    """Fill the upper half of the ellipse that the rectangle encloses."""
    return Area(paint, arc(left, top, right, bottom, start=180, end=360))


def arc(
    left: float, top: float, right: float, bottom: float, *, start: float = 0, end: float = 360
) -> tuple[Point, ...]:
    """Follow the ellipse in the rectangle from one angle to another, in degrees, clockwise from the right."""
    centre_x, centre_y = (left + right) / 2, (top + bottom) / 2
    steps = max(6, round(abs(end - start) / 15))
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple(
        (centre_x + (right - left) / 2 * math.cos(angle), centre_y + (bottom - top) / 2 * math.sin(angle))
        for angle in angles
    )


def turned(radius: float, degrees: float, centre: Point = (0, 0)) -> Point:
    """Return the point at this angle and distance from the centre."""
    angle = math.radians(degrees)
    return (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
