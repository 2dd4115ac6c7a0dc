"""Lets requests through to an endpoint, or holds them back while it cannot take them."""

from __future__ import annotations

import asyncio
import random

from judges.core.asking import EndpointDown

LONGEST_WAIT = 600.0  # seconds that a Retry-After is obeyed; a longer one is a matter for people
LONGEST_BACKOFF = 60.0
ROUNDS = 7  # failed probes, or pushbacks without a time, in a row: one to two minutes


class Gate:
    """The state of one endpoint as its requests find it.

    A fault closes the gate for a moment; then one request goes ahead as a probe, and its success opens the
    gate for all. So an outage costs one try of one pair a round, not a try of each pair under way. Faults of
    requests that were sent before the gate last closed are the same outage and count once.
    """

    def __init__(self, *, seed: int, first_wait: float) -> None:
        self._random = random.Random(seed)  # noqa: S311 - spreads waits, keeps no secret
        self._first_wait = first_wait
        self._not_before = 0.0
        self._rounds = 0
        self._is_probed = False
        self._closed_at = -1.0
        self._moved = asyncio.Event()

    async def enter(self) -> float:
        """Wait for one's turn. Returns the moment, by the loop's clock, for ``failed``."""
        loop = asyncio.get_running_loop()
        while True:
            wait = self._not_before - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            elif self._rounds and self._is_probed:
                self._moved.clear()
                await self._moved.wait()
            else:
                self._is_probed = bool(self._rounds)
                return loop.time()

    def succeeded(self) -> None:
        """The endpoint answered: open for all."""
        self._rounds = 0
        self._move()

    def failed(self, entered: float, reason: str, *, wait: float | None = None) -> None:
        """The endpoint did not answer, or asked to wait. Raises EndpointDown in the end.

        A wait that the endpoint names is obeyed however often it does so.
        """
        if wait is not None and wait > LONGEST_WAIT:
            raise EndpointDown(f"The endpoint asks to wait {wait:.0f} s: {reason}. Resume then.")
        now = asyncio.get_running_loop().time()
        is_news = entered > self._closed_at
        if is_news:
            self._closed_at = now
            self._rounds = max(self._rounds, 1) if wait is not None else self._rounds + 1
            backoff = min(LONGEST_BACKOFF, self._first_wait * 2 ** (self._rounds - 1))
            self._not_before = now + (backoff * self._random.uniform(0.75, 1.25) if wait is None else 0.0)
        if wait is not None:
            self._not_before = max(self._not_before, now + wait)
        if is_news or wait is not None:  # what is of an outage known already leaves its probe alone
            self._move()
        if self._rounds >= ROUNDS:
            raise EndpointDown(
                f"The endpoint failed {ROUNDS} times in a row, last: {reason}. Mend it, then resume the job."
            )

    def _move(self) -> None:
        self._is_probed = False
        self._moved.set()
