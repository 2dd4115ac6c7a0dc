"""Cumulative distribution: the share of each group's values that are at most a value, as a step line."""

from collections.abc import Iterator, Mapping
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats
from trackside.figures.axes import Axis, Frame, Tick, number, padded_range
from trackside.figures.svg.elements import Key, chart_svg, draw_grid, draw_path, draw_text, line_kind

PANEL = Frame(width=300, height=254, left=46, right=292, top=20, bottom=216)


def cumulative_svg(
    groups: Mapping[str, ArrayLike],
    series: Mapping[str, str],
    *,
    name: str,
    title: str,
    desc: str,
    axis: str,
    cuts: Mapping[str, float] | None = None,
    across: tuple[float, float] | None = None,
    frame: Frame = PANEL,
) -> str:
    """Draw a line for each named group of finite values; ``cuts`` are vertical lines by their texts."""
    ordered = {group: np.sort(np.asarray(values, dtype=np.float64)) for group, values in groups.items()}
    nonempty = {group: values for group, values in ordered.items() if values.size}
    ends = [end for values in nonempty.values() for end in (float(values[0]), float(values[-1]))]
    x_axis = Axis(*(across or padded_range(ends, share=0)), frame.left, frame.right)
    y_axis = Axis(0.0, 1.0, frame.bottom, frame.top)
    y_ticks = [Tick(y_axis.at(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100)]
    parts = [*draw_grid(frame, x_axis.ticks(4), y_ticks), *_cuts(cuts or {}, x_axis, frame)]
    for group, values in nonempty.items():
        line = draw_path(line_kind(series[group]), step_path(values, x_axis, y_axis))
        parts.append(f"<g><title>{escape(group)}</title>{line}</g>")
    parts.append(draw_text((frame.left + frame.right) / 2, frame.height - 4, axis, "m"))
    key: Key = [(series[group], group) for group in nonempty] if len(groups) > 1 else ()
    return chart_svg(frame, parts, name, title, desc, key)


def _cuts(cuts: Mapping[str, float], axis: Axis, frame: Frame) -> Iterator[str]:
    for index, (text, value) in enumerate(cuts.items()):
        x = axis.at(value)
        yield draw_path("id", f"M{number(x)} 16V{number(frame.bottom)}")
        yield draw_text(x + (4 if index else -4), 13, text, "t2" if index else "e t2")


def step_path(values: Floats, x_axis: Axis, y_axis: Axis) -> str:
    """The cumulative step line of ascending values, at most a step each half unit to bound its length."""
    width = x_axis.high - x_axis.low
    share = (values - x_axis.low) / width if width else np.full(values.size, 0.5)
    positions = x_axis.start + share * (x_axis.end - x_axis.start)
    columns = np.round(2 * np.round(positions, 1)).astype(np.int64)
    last = np.flatnonzero(np.append(np.diff(columns), 1))
    shares = (last + 1) / values.size
    steps = [
        f"H{number(column / 2)}V{number(y_axis.at(share))}"
        for column, share in zip(columns[last], shares, strict=True)
    ]
    start = f"M{number(columns[0] / 2)} {number(y_axis.start)}"
    return start + "".join(steps) + f"H{number(x_axis.end)}"
