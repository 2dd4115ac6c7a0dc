"""Line chart: one polyline per series over two numeric axes, such as precision by recall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.core.figures.axes import Axis, Frame, Tick, number
from evaluation.core.figures.labels import Label, label_room, place_labels

Points = Sequence[tuple[float, float]]


PANEL = Frame(width=420, height=300, left=48, right=408, top=22, bottom=256)
MARKED = (1 / 3, 2 / 3, 1.0)  # where a line has the marks of its series, as shares of its points


@dataclass(frozen=True, slots=True)
class NamedLine:
    """One line and the points of its marks; `path` is empty if it has no points."""

    name: str
    series: str
    path: str
    marks: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Ticks of both axes, the lines in their order, and their labels."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[NamedLine, ...]
    labels: tuple[Label, ...]


def lines(
    points: Mapping[str, Points],
    *,
    series: Mapping[str, str],
    across: tuple[float, float],
    up: tuple[float, float],
    frame: Frame = PANEL,
) -> Lines:
    """Place named lines of (x, y) points, each with the class of its series; labels narrow the plot."""
    inner = replace(frame, right=frame.right - label_room(list(points)))
    x_axis = Axis(*across, inner.left, inner.right)
    y_axis = Axis(*up, inner.bottom, inner.top)
    placed = tuple(_line(name, series[name], _placed(line, x_axis, y_axis)) for name, line in points.items())
    ends = [(each.name, *each.marks[-1]) for each in placed if each.marks]
    labels = tuple(place_labels(ends, low=inner.top, high=inner.bottom))
    return Lines(inner, x_axis.ticks(), y_axis.ticks(), placed, labels)


def _placed(points: Points, x_axis: Axis, y_axis: Axis) -> list[tuple[float, float]]:
    """At most one point per tenth of a unit; more are not visible."""
    return list(dict.fromkeys((x_axis.at(x), y_axis.at(y)) for x, y in points))


def _line(name: str, series: str, placed: Sequence[tuple[float, float]]) -> NamedLine:
    path = "".join(f"{'L' if place else 'M'}{number(x)} {number(y)}" for place, (x, y) in enumerate(placed))
    marked = {round(share * (len(placed) - 1)) for share in MARKED} if placed else set()
    return NamedLine(name, series, path, tuple(placed[place] for place in sorted(marked)))
