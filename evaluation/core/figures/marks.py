"""Markers: a circle for the first series, a path for each other."""

from evaluation.core.figures.axes import number

SERIES = 4
"""Number of series with their own colour in the style sheet."""


def mark_path(series: int, x: float, y: float, *, radius: float = 4.6) -> str | None:
    """The path of a marker around (x, y): 2 triangle, 3 square, 4 diamond; None for 1, which is a circle.

    Shapes have about the area of the circle of `radius`, so that all have the same visual weight.
    """
    match series:
        case 1:
            return None
        case 2:
            half, rise = number(radius * 1.26), number(radius * 2.15)
            return f"M{number(x)} {number(y - radius * 1.26)}l{half} {rise}h-{number(2 * float(half))}z"
        case 3:
            side = number(radius * 1.78)
            corner = radius * 0.89
            return f"M{number(x - corner)} {number(y - corner)}h{side}v{side}h-{side}z"
        case 4:
            reach = number(radius * 1.26)
            return (
                f"M{number(x)} {number(y - float(reach))}l{reach} {reach}l-{reach} {reach}l-{reach} -{reach}z"
            )
    raise ValueError(f"series {series} has no marker: there are {SERIES}")
