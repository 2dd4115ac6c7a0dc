"""Gap bars: one bar per topic, upwards for a gain of the run and downwards for a loss."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.axes import Axis, Frame, Tick, number

WIDE = Frame(width=892, height=190, left=50, right=886, top=12, bottom=168)
FILLED = 0.7  # share of a bar's slot; the rest is the gap
WIDEST = 24.0


@dataclass(frozen=True, slots=True)
class GapBar:
    """One topic's bar; `series` is 1 for a gain and 2 for a loss, `path` is empty without a gap."""

    name: str
    gap: float | None
    series: int
    path: str


@dataclass(frozen=True, slots=True)
class GapBars:
    """Ticks of the gaps, the y of zero, and the bars in input order."""

    frame: Frame
    y_ticks: tuple[Tick, ...]
    zero: float
    bars: tuple[GapBar, ...]


def gap_bars(
    gaps: Sequence[tuple[str, float | None]], *, up: tuple[float, float], frame: Frame = WIDE
) -> GapBars:
    """Place pairs of topic and gap on an axis that includes zero; a topic without a value has no bar."""
    axis = Axis(min(up[0], 0.0), max(up[1], 0.0), frame.bottom, frame.top)
    slot = (frame.right - frame.left) / max(len(gaps), 1)
    width = min(slot * FILLED, WIDEST)
    placed = (
        GapBar(
            name,
            gap,
            2 if gap is not None and gap < 0 else 1,
            _path(frame.left + place * slot, width, gap, axis),
        )
        for place, (name, gap) in enumerate(gaps)
    )
    return GapBars(frame, axis.ticks(4), axis.at(0.0), tuple(placed))


def _path(x: float, width: float, gap: float | None, axis: Axis) -> str:
    if not gap:
        return ""
    return (
        f"M{number(x)} {number(axis.at(0.0))}V{number(axis.at(gap))}h{number(width)}V{number(axis.at(0.0))}z"
    )
