"""Line chart: one polyline per series over two numeric axes, such as ROC or interval width by topics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, number, padded_range

PANEL = Frame(width=420, height=300, left=48, right=408, top=22, bottom=256)

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class NamedLine:
    """One line; `path` is empty if it has no points."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Ticks of both axes and the lines in their order."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[NamedLine, ...]


def lines(
    points: Mapping[str, Points],
    *,
    across: tuple[float, float] | None = None,
    up: tuple[float, float] | None = None,
    frame: Frame = PANEL,
) -> Lines:
    """Place named lines of (x, y) points; axes without a range span all points."""
    every = [point for line in points.values() for point in line]
    x_axis = Axis(*(across or padded_range((x for x, _ in every), share=0.0)), frame.left, frame.right)
    y_axis = Axis(*(up or padded_range(y for _, y in every)), frame.bottom, frame.top)
    return Lines(
        frame,
        x_axis.ticks(),
        y_axis.ticks(),
        tuple(NamedLine(name, _path(line, x_axis, y_axis)) for name, line in points.items()),
    )


def _path(points: Points, x_axis: Axis, y_axis: Axis) -> str:
    """The line with at most one point per tenth of a unit; more are not visible."""
    placed = list(dict.fromkeys((x_axis.at(x), y_axis.at(y)) for x, y in points))
    return "".join(f"{'L' if place else 'M'}{number(x)} {number(y)}" for place, (x, y) in enumerate(placed))
