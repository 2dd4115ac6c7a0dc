"""Bland-Altman plot: differences of two methods against their averages, with mean and limits of agreement."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, padded_range
from evaluation.core.figures.series import mark_place, series_mark

PANEL = Frame(width=420, height=300, left=52, right=408, top=22, bottom=256)


@dataclass(frozen=True, slots=True)
class DifferenceMark:
    """The mark of a run, with its average and difference."""

    tag: str
    is_in_focus: bool
    average: float
    difference: float
    path: str


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Ticks, marks, the y of zero, and the named levels of mean and limits."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    marks: tuple[DifferenceMark, ...]
    zero: float
    levels: tuple[Tick, ...]


def bland_altman(
    runs: Sequence[tuple[str, bool, float, float]],
    series: str,
    *,
    levels: dict[str, float],
    frame: Frame = PANEL,
) -> BlandAltman:
    """Place runs of (tag, whether in focus, average, difference); `series` is the judge's class, `levels` are
    the named lines across.
    """
    x_axis = Axis(*padded_range(average for _, _, average, _ in runs), frame.left, frame.right)
    heights = [0.0, *levels.values(), *(difference for *_, difference in runs)]
    y_axis = Axis(*padded_range(heights), frame.bottom, frame.top)
    marks = tuple(
        DifferenceMark(
            tag,
            is_in,
            average,
            difference,
            series_mark(mark_place(series), x_axis.at(average), y_axis.at(difference), radius=4),
        )
        for tag, is_in, average, difference in runs
    )
    return BlandAltman(
        frame,
        x_axis.ticks(),
        y_axis.ticks(),
        marks,
        y_axis.at(0.0),
        tuple(Tick(y_axis.at(value), name) for name, value in levels.items()),
    )
