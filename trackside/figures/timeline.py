"""Timeline: a bar for each time span. x is in percent, so that one drawing fits every screen, y in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from trackside.figures.axes import Axis, Frame, Tick

FIRST_ROW, ROW = 42, 44
TICKS = 12  # most ticks; more would overlap
STEPS_IN_DAYS = (1, 2, 7, 14, 28, 91)
QUARTER, YEAR = 91, 364  # days, in whole weeks


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A named time span; start and end are in the same time zone."""

    name: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class TimeBar:
    """The bar of a time span: `passed` is the part of `width` before the current time."""

    name: str
    y: float
    x: float
    width: float
    passed: float
    end: datetime


@dataclass(frozen=True, slots=True)
class Timeline:
    """Ticks of dates, bars from top to bottom, and the x of the current time."""

    frame: Frame
    ticks: tuple[Tick, ...]
    bars: tuple[TimeBar, ...]
    now: float


def timeline(stretches: Sequence[TimeSpan], *, now: datetime) -> Timeline:
    """Place at least one time span; the axis includes all starts and ends and the current time."""
    first = min(now, *(stretch.start for stretch in stretches))
    last = max(now, *(stretch.end for stretch in stretches))
    axis = Axis(first.timestamp(), last.timestamp(), 0, 100)
    bottom = FIRST_ROW + ROW * len(stretches)
    now_x = axis.at(now.timestamp())
    bars = []
    for row, stretch in enumerate(stretches):
        x, end = axis.at(stretch.start.timestamp()), axis.at(stretch.end.timestamp())
        passed = round(min(max(now_x - x, 0.0), end - x), 1)
        bars.append(TimeBar(stretch.name, FIRST_ROW + ROW * row, x, round(end - x, 1), passed, stretch.end))
    return Timeline(
        Frame(width=100, height=bottom + 20, left=0, right=100, top=20, bottom=bottom),
        _ticks(first, last, axis),
        tuple(bars),
        now_x,
    )


def _ticks(first: datetime, last: datetime, axis: Axis) -> tuple[Tick, ...]:
    """Ticks at midnight, a round number of days apart; ticks of whole weeks are on Mondays.

    Ticks that are a quarter or more apart have month and year instead of day and month.
    """
    days = (last - first) / timedelta(days=1)
    step = next((step for step in STEPS_IN_DAYS if days / step <= TICKS), YEAR * ceil(days / YEAR / TICKS))
    day = (first + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    if step >= 7:
        day += timedelta(days=-day.weekday() % 7)
    ticks = []
    while day <= last:
        ticks.append(
            Tick(axis.at(day.timestamp()), f"{day:%b %Y}" if step >= QUARTER else f"{day.day} {day:%b}")
        )
        day += timedelta(days=step)
    return tuple(ticks)
