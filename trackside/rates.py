"""Rates of rate limits: a count per period, in the notation of settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trackside.errors import InputError

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
RATE = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,5})?([smhd])")


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A burst of ``count``, refilled evenly over ``seconds``."""

    count: int
    seconds: int

    @classmethod
    def of(cls, text: str) -> RateLimit:
        """Read "120/h" or "3000/5m"; units are s, m, h and d. Raises rate-not-understood."""
        match = RATE.fullmatch(text)
        if match is None:
            raise InputError(
                f'"{text}" is not a rate. Write a count and a period, such as 120/h or 3000/5m.',
                code="rate-not-understood",
            )
        return cls(int(match[1]), int(match[2] or 1) * SECONDS[match[3]])

    @property
    def apart(self) -> float:
        """Seconds until one more is allowed."""
        return self.seconds / self.count


def read_rates(defaults: Mapping[str, str], changes: Iterable[str]) -> dict[str, RateLimit]:
    """Return the rates by name; changes are texts such as "upload=500/h". Raises rate-not-understood."""
    texts = dict(defaults)
    for change in changes:
        name, _, text = change.partition("=")
        if name not in texts:
            raise InputError(
                f'"{change}" names no rate. There are: {", ".join(sorted(texts))}.',
                code="rate-not-understood",
            )
        texts[name] = text
    return {name: RateLimit.of(text) for name, text in texts.items()}
