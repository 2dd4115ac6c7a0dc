"""Axes: round ticks, their text, and the mapping from values to coordinates."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Tick:
    """A position on an axis, in viewBox units, and its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A viewBox and the plot area inside it; y grows downwards, so `top` is less than `bottom`."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values from `low` to `high` to coordinates from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Coordinate of a value, rounded to a tenth of a unit; the middle if the axis has a single value."""
        if self.high == self.low:
            return round((self.start + self.end) / 2, 1)
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, count: int = 5) -> tuple[Tick, ...]:
        """Round ticks within the axis, about `count` of them."""
        step = round_step(self.low, self.high, count)
        steps = range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
        return tuple(Tick(self.at(count * step), tick_text(count * step, step)) for count in steps)


def round_step(low: float, high: float, count: int) -> float:
    """The smallest of 1, 2, 2.5 or 5 times a power of ten that divides the range in at most `count` parts."""
    width = (high - low) / count or 1.0
    power = 10.0 ** floor(log10(width))
    return next(power * step for step in ROUND_STEPS if power * step >= width * (1 - 1e-9))


def tick_text(value: float, step: float) -> str:
    """Format the value with commas, as many decimals as its step needs and U+2212 as the minus sign."""
    decimals = max(0, -floor(log10(step) + 1e-9))
    if round(step, decimals) != round(step, decimals + 1):
        decimals += 1
    return f"{value:,.{decimals}f}".replace("-", "−") if round(value, decimals) else f"{0:.{decimals}f}"


def padded_range(values: Iterable[float], *, share: float = 0.04) -> tuple[float, float]:
    """Least and greatest value, padded by a share of their distance; 0 to 1 without values."""
    numbers = tuple(values)
    if not numbers:
        return 0.0, 1.0
    low, high = min(numbers), max(numbers)
    pad = (high - low) * share or abs(low) * share or share
    return low - pad, high + pad


def number(value: float) -> str:
    """Format a coordinate for SVG, without trailing zeros."""
    return f"{round(value, 1):g}"
