"""Costs of requests in micros: millionths of the price table's currency."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
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
        """Return a response's cost in micros: by its usage; the bound if unknown; 0 if the fault is free."""
        if response.fault in FREE:
            return 0
        if response.usage is None:
            return bound
        return self.cost(response.usage.input_tokens, response.usage.output_tokens)


FREE_OF_CHARGE = Rates(Decimal(0), Decimal(0), 0)


def amount(micros: int) -> str:
    """Format an amount of money: "12.35", "0.0042"."""
    value = Decimal(micros) / MICROS
    return f"{value:,.2f}" if abs(value) >= 1 or not micros else f"{value:.4f}"
