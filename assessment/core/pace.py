"""The pace of assessors and of the whole judging, its projected end, and a chart of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from trackside.arrays import Floats
from trackside.figures.axes import Axis, Frame, Tick
from trackside.statistics.estimate import Estimate, Reason

RECENT = 1000
"""The last judgments of an assessor that describe the pace, so that pages need not read all."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds per judgment in order: their median, the medians of both halves, and the trend.

    `tau` is Mann and Kendall's trend (tau-b of seconds with order), `p` its two-sided p, exact without ties.
    """

    median: Estimate
    first_half: Estimate
    second_half: Estimate
    tau: Estimate
    p: Estimate


def pace(seconds: Sequence[float]) -> Pace:
    """Describe positive seconds in order of judging; the second half has one more if their number is odd.

    The trend is undefined for fewer than three judgments, and if all seconds are equal.
    """
    times = np.asarray(seconds, dtype=np.float64)
    half = times.size // 2
    halves = (_median(times[:half]), _median(times[half:]))
    if times.size < 3 or not np.ptp(times):
        undefined = Estimate.undefined(Reason.TOO_FEW if times.size < 3 else Reason.CONSTANT)
        return Pace(_median(times), *halves, undefined, undefined)
    return Pace(_median(times), *halves, *_mann_kendall(times))


EXACT_UP_TO = 100
"""Judgments up to this number get the exact p."""


def _mann_kendall(times: Floats) -> tuple[Estimate, Estimate]:
    from scipy.stats import kendalltau

    is_exact = np.unique(times).size == times.size <= EXACT_UP_TO
    trend = kendalltau(np.arange(times.size), times, method="exact" if is_exact else "asymptotic")
    return Estimate.of(float(trend.statistic)), Estimate.of(float(trend.pvalue))


def _median(times: Floats) -> Estimate:
    return Estimate.of(float(np.median(times))) if times.size else Estimate.undefined(Reason.EMPTY)


DAY = timedelta(days=1)
WEEK = timedelta(days=7)
FRAME = Frame(width=420, height=176, left=40, right=400, top=22, bottom=146)


@dataclass(frozen=True)
class Outlook:
    """Judgments given and needed, judgments a day over the last week, and the projected end at this pace.

    ``day_count`` is null before the first judgment; ``done_at`` is null if nothing is left or nobody judges.
    """

    given_count: int
    wanted_count: int
    day_count: float | None
    done_at: datetime | None

    @property
    def left_count(self) -> int:
        """The number of missing judgments."""
        return self.wanted_count - self.given_count

    @property
    def share(self) -> float | None:
        """The share given; null if none are needed."""
        return self.given_count / self.wanted_count if self.wanted_count else None


def find_outlook(
    given_count: int, left_count: int, week_count: int, *, first_at: datetime | None, now: datetime
) -> Outlook:
    """Extrapolate the judgments of the last seven days, or of the time since the first judgment if shorter.

    The time counts as at least one day.
    """
    if first_at is None:
        return Outlook(given_count, given_count + left_count, None, None)
    day_count = week_count / (min(max(now - first_at, DAY), WEEK) / DAY)
    done_at = now + DAY * (left_count / day_count) if day_count and left_count else None
    return Outlook(given_count, given_count + left_count, day_count, done_at)


@dataclass(frozen=True)
class PaceChart:
    """Geometry of the chart: the line of judgments so far, its extrapolation, and marks."""

    frame: Frame
    rises: tuple[Tick, ...]
    days: tuple[Tick, ...]
    line: str
    now: tuple[float, float]
    done: tuple[float, float] | None
    deadline: float | None

    @property
    def is_deadline_early(self) -> bool:
        """Whether the deadline is in the left half, so that its label is right of its line."""
        return self.deadline is not None and self.deadline < (self.frame.left + self.frame.right) / 2


def draw_pace(
    days: Sequence[tuple[datetime, int]], outlook: Outlook, *, now: datetime, deadline: datetime | None
) -> PaceChart:
    """Draw the judgments by day, at least one day, with deadline and projected end.

    The projected end is left out if it would more than double the time axis.
    """
    first = days[0][0]
    last = max(now, deadline or now, first + DAY)
    done_at = outlook.done_at
    if done_at and (done_at - first <= 2 * (last - first)):
        last = max(last, done_at)
    else:
        done_at = None
    across = Axis(first.timestamp(), last.timestamp(), FRAME.left, FRAME.right)
    up = Axis(0, max(outlook.wanted_count, 1), FRAME.bottom, FRAME.top)
    points, total = [f"M{across.at(first.timestamp())} {up.at(0)}"], 0
    for day, count in days:
        total += count
        points.append(f"L{across.at(min(day + DAY, now).timestamp())} {up.at(total)}")
    return PaceChart(
        FRAME,
        up.ticks(3),
        _day_ticks(first, last, across),
        "".join(points),
        (across.at(now.timestamp()), up.at(outlook.given_count)),
        (across.at(done_at.timestamp()), up.at(outlook.wanted_count)) if done_at else None,
        across.at(deadline.timestamp()) if deadline else None,
    )


def _day_ticks(first: datetime, last: datetime, across: Axis) -> tuple[Tick, ...]:
    """Return at most five days at equal distances."""
    step = max(round((last - first) / DAY / 4), 1)
    ticks, day = [], first
    while day <= last:
        ticks.append(Tick(across.at(day.timestamp()), f"{day.day} {day:%b}"))
        day += DAY * step
    return tuple(ticks)
