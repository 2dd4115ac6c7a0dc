"""How fast an endpoint may be asked: a minute's allowance, handed out evenly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BURST = 1.0  # seconds' worth that may leave at once
BYTES_A_TOKEN = 4  # as vendors reckon a request before they have counted its tokens
IMAGE_TOKENS = 1000  # of an image whose price nobody gave


@dataclass(frozen=True, slots=True)
class Meter:
    """An allowance a minute; ``free_at`` is when what was taken so far is used up, in seconds.

    No minute, wherever it begins, holds more than the allowance: what leaves within the burst is slowed down
    for afterwards.
    """

    per_minute: int
    free_at: float

    def after(self, now: float, cost: int) -> Meter:
        """The meter once something has left that costs so much."""
        begins = max(self.free_at, now - BURST)
        return Meter(self.per_minute, begins + cost * (60 + BURST) / self.per_minute)


def taken(meters: Sequence[Meter], costs: Iterable[Sequence[int]], now: float) -> tuple[int, list[Meter]]:
    """How many may leave now, in order, and the meters after that; each costs something on every meter.

    One may leave as long as no meter is used up, whatever it costs: one larger than a minute's allowance
    leaves, too, and the next ones wait for it.
    """
    count, left = 0, list(meters)
    for each in costs:
        if any(meter.free_at > now for meter in left):
            break
        left = [meter.after(now, cost) for meter, cost in zip(left, each, strict=True)]
        count += 1
    return count, left


def wait(meters: Iterable[Meter], now: float) -> float:
    """Seconds until the next one may leave."""
    return max((meter.free_at - now for meter in meters), default=0.0)


def tokens_of(texts: Iterable[str | None], image_tokens: int, max_tokens: int) -> int:
    """The tokens that a request counts as before it is answered; None stands for the image."""
    sizes = (len(text.encode()) // BYTES_A_TOKEN if text else image_tokens or IMAGE_TOKENS for text in texts)
    return sum(sizes) + max_tokens
