"""Excess of each judge over run-blind judges: its interval, the run-blind range and the bare difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Axis, Frame, Tick, padded_range
from evaluation.core.figures.series import mark_place, series_mark
from evaluation.core.figures.text_width import fitted, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT, ROW = 416.0, 284.0, 36.0
TOP, FOOT = 10.0, 40.0
RADIUS = 5.0


@dataclass(frozen=True, slots=True)
class Excess:
    """One judge: name, class and verdict; the excess and its interval, the run-blind range about its mean,
    and the bare difference, in points. None where undefined.
    """

    name: str
    series: str
    verdict: str
    value: float | None
    text: str
    interval: tuple[float, float] | None
    blind: tuple[float, float] | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class ExcessRow:
    """A judge's coordinates: texts are at `name_y`, marks at `y`; the number is at `text_x`."""

    excess: Excess
    name: str
    verdict: str
    name_y: float
    y: float
    mark: str
    interval: tuple[float, float] | None
    band: tuple[float, float] | None
    tick: float | None
    text_x: float


@dataclass(frozen=True, slots=True)
class Excesses:
    """Ticks, the x of no excess, and a row per judge."""

    frame: Frame
    x_ticks: tuple[Tick, ...]
    zero: float
    rows: tuple[ExcessRow, ...]


def panel_height(judge_count: int) -> float:
    """Height of the figures on the report's first page, with room for a row per judge."""
    return max(HEIGHT, TOP + ROW * judge_count + FOOT)


def excesses(judges: Sequence[Excess], *, height: float) -> Excesses:
    """Place the judges on one axis that spans every value and 0."""
    every = [0.0]
    for each in judges:
        found = (each.value, each.difference, *(each.interval or ()), *(each.blind or ()))
        every += [value for value in found if value is not None]
    # The number is right of the mark and of the interval.
    room = max((text_width(each.text, is_bold=True) for each in judges), default=0.0) + 12
    axis = Axis(*padded_range(every, share=0.06), 8.0, WIDTH - room)
    frame = Frame(WIDTH, height, 8.0, WIDTH - 8, TOP, height - FOOT)
    row = min(48.0, (frame.bottom - frame.top) / max(len(judges), 1))
    rows = tuple(_row(each, frame.top + row * place, axis) for place, each in enumerate(judges))
    return Excesses(frame, axis.ticks(), axis.at(0.0), rows)


def _row(each: Excess, top: float, axis: Axis) -> ExcessRow:
    y = round(top + 22, 1)
    verdict = fitted(each.verdict, WIDTH * 0.6)
    name = fitted(each.name, WIDTH - text_width(verdict) - 12, is_bold=True)
    interval = (axis.at(each.interval[0]), axis.at(each.interval[1])) if each.interval else None
    band = (axis.at(each.blind[0]), axis.at(each.blind[1])) if each.blind else None
    tick = None if each.difference is None else axis.at(each.difference)
    known = [0.0 if each.value is None else axis.at(each.value), *(interval or ()), tick or 0.0]
    mark = ""
    if each.value is not None:
        mark = series_mark(mark_place(each.series), axis.at(each.value), y, radius=RADIUS)
    return ExcessRow(each, name, verdict, round(top + 11, 1), y, mark, interval, band, tick, max(known) + 9)
