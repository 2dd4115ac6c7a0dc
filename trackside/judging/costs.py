"""Costs of requests in micros (millionths of the price table's currency), rate limits, and durations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from trackside.judging.asking import FREE, Response

MICROS = 1_000_000
# Upper bound for a chat template and the roles of its turns.
TEMPLATE_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Rates:
    """Prices per million tokens, and the maximum tokens of an image."""

    input_price: Decimal
    output_price: Decimal
    image_tokens: int

    def cost(self, input_tokens: int, output_tokens: int) -> int:
        """Return the price of these tokens in micros, rounded up."""
        return math.ceil(input_tokens * self.input_price + output_tokens * self.output_price)

    def bound(self, parts: Iterable[str | bytes | None], max_tokens: int) -> int:
        """Return the maximum cost of one request in micros: a token has at least a byte. None is an image."""
        input_tokens = TEMPLATE_TOKENS + sum(
            len(part.encode()) if isinstance(part, str) else self.image_tokens for part in parts
        )
        return self.cost(input_tokens, max_tokens)

    def charged(self, response: Response, bound: int) -> int:
        """Return a response's cost in micros: by its usage; the bound if unknown; 0 if the fault is free.

        If the usage contradicts itself, the larger of its cost and the bound.
        """
        if response.usage is None:
            return 0 if response.fault in FREE else bound
        cost = self.cost(response.usage.input_tokens, response.usage.output_tokens)
        return max(cost, bound) if response.usage.is_doubtful else cost


FREE_OF_CHARGE = Rates(Decimal(0), Decimal(0), 0)


def amount(micros: int) -> str:
    """Format an amount of money: "12.35", "0.0042"."""
    value = Decimal(micros) / MICROS
    return f"{value:,.2f}" if abs(value) >= 1 or not micros else f"{value:.4f}"


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


def duration_words(duration: timedelta) -> str:
    """Format a duration in its two largest units: "2 d 5 h", "3 h 20 min", "4 min 10 s", "8 s"."""
    seconds = max(0, round(duration.total_seconds()))
    units = (
        ("d", seconds // 86_400),
        ("h", seconds // 3600 % 24),
        ("min", seconds // 60 % 60),
        ("s", seconds % 60),
    )
    first = next((index for index, (_, count) in enumerate(units) if count), len(units) - 1)
    return " ".join(f"{count} {unit}" for unit, count in units[first : first + 2] if count) or "0 s"
