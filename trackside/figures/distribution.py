"""Cumulative distribution of raw scores: one step line for each grade that people gave."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats
from trackside.figures.axes import Axis, Frame, Tick, number, padded_range

PANEL = Frame(width=300, height=254, left=46, right=292, top=20, bottom=216)


@dataclass(frozen=True, slots=True)
class Curve:
    """The step line of one group of scores, their number and their median."""

    name: str
    path: str
    n: int
    median: float


@dataclass(frozen=True, slots=True)
class Distribution:
    """Share of items with at most a score: ticks, one curve per group, and the cuts of a mapping."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    cuts: tuple[Tick, ...]


def distribution(
    scores: Mapping[str, ArrayLike],
    *,
    cuts: Mapping[str, float] | None = None,
    across: tuple[float, float] | None = None,
    frame: Frame = PANEL,
) -> Distribution:
    """Cumulative curves of named groups of finite scores; groups without scores have no curve.

    `cuts` maps the text of each vertical line to its score; `across` is a range to share between panels.
    """
    groups = {name: np.sort(np.asarray(values, dtype=np.float64)) for name, values in scores.items()}
    known = {name: values for name, values in groups.items() if values.size}
    ends = [end for values in known.values() for end in (float(values[0]), float(values[-1]))]
    x_axis = Axis(*(across or padded_range(ends, share=0)), frame.left, frame.right)
    y_axis = Axis(0.0, 1.0, frame.bottom, frame.top)
    return Distribution(
        frame,
        x_axis.ticks(4),
        tuple(Tick(y_axis.at(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100)),
        tuple(_curve(name, values, x_axis, y_axis) for name, values in known.items()),
        tuple(Tick(x_axis.at(score), text) for text, score in (cuts or {}).items()),
    )


def _curve(name: str, values: Floats, x_axis: Axis, y_axis: Axis) -> Curve:
    path = step_path(values, x_axis, y_axis)
    return Curve(name, path, values.size, float(np.median(values)))


def step_path(values: Floats, x_axis: Axis, y_axis: Axis) -> str:
    """The cumulative step line of ascending values, with at most one step in each half unit of the x axis.

    This bounds the length of the path for any number of scores; it is at most half a unit off.
    """
    width = x_axis.high - x_axis.low
    share = (values - x_axis.low) / width if width else np.full(values.size, 0.5)
    places = x_axis.start + share * (x_axis.end - x_axis.start)
    columns = np.round(2 * np.round(places, 1)).astype(np.int64)
    last = np.flatnonzero(np.append(np.diff(columns), 1))
    shares = (last + 1) / values.size
    steps = [
        f"H{number(column / 2)}V{number(y_axis.at(share))}"
        for column, share in zip(columns[last], shares, strict=True)
    ]
    start = f"M{number(columns[0] / 2)} {number(y_axis.start)}"
    return start + "".join(steps) + f"H{number(x_axis.end)}"
