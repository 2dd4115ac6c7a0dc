"""Rate limits of endpoints: an allowance per minute, spread evenly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BURST = 1.0  # seconds of the allowance that may be used at once
BYTES_A_TOKEN = 4  # vendors' estimate for requests whose tokens they have not counted
IMAGE_TOKENS = 1000  # of an image without a price


@dataclass(frozen=True, slots=True)
class Meter:
    """A rate limiter (GCRA); ``free_at`` is when the next request may be sent without a burst, in seconds.

    No minute, wherever it begins, has more than the allowance: later requests make up for a burst.
    """

    per_minute: int
    free_at: float

    def after(self, now: float, cost: int) -> Meter:
        """Return the meter after a request with this cost."""
        begins = max(self.free_at, now - BURST)
        return Meter(self.per_minute, begins + cost * (60 + BURST) / self.per_minute)


def taken(meters: Sequence[Meter], costs: Iterable[Sequence[int]], now: float) -> tuple[int, list[Meter]]:
    """Return how many requests may be sent now, in order, and the meters afterwards.

    ``costs`` has the cost of each request on every meter. A request of any cost may be sent while no meter is
    used up: even one above a minute's allowance, after which the next ones wait.
    """
    count, current = 0, list(meters)
    for request_costs in costs:
        if any(meter.free_at > now for meter in current):
            break
        current = [meter.after(now, cost) for meter, cost in zip(current, request_costs, strict=True)]
        count += 1
    return count, current


def wait(meters: Iterable[Meter], now: float) -> float:
    """Return the seconds until the next request may be sent."""
    return max((meter.free_at - now for meter in meters), default=0.0)


def tokens_of(texts: Iterable[str | None], image_tokens: int, max_tokens: int) -> int:
    """Estimate the tokens of a request before it is answered; a text of None is the image."""
    sizes = (len(text.encode()) // BYTES_A_TOKEN if text else image_tokens or IMAGE_TOKENS for text in texts)
    return sum(sizes) + max_tokens
