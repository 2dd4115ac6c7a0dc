"""Hold requests back while an endpoint is down or overloaded."""

import asyncio
import random

from trackside.judging.asking import EndpointDown

LONGEST_WAIT = 600.0  # seconds; a longer Retry-After pauses the job, so that an organizer decides
LONGEST_BACKOFF = 60.0
ROUNDS = 7  # consecutive failed probes, or refusals without a wait: one to two minutes


class RequestGate:
    """A circuit breaker for one endpoint.

    A fault closes the gate for a moment; then one request is sent as a probe, and its success opens the gate.
    An outage thus costs one attempt of one pair per round, not one of each pair in flight. Faults of requests
    that were sent before the gate last closed belong to the same outage and count once.
    """

    def __init__(self, *, seed: int, first_wait: float) -> None:
        self._random = random.Random(seed)  # noqa: S311 - spreads waits, keeps no secret
        self._first_wait = first_wait
        self._not_before = 0.0
        self._rounds = 0
        self._is_probed = False
        self._closed_at = -1.0
        self._changed = asyncio.Event()

    async def enter(self) -> float:
        """Wait until the gate is open. Return the time by the loop's clock, for ``failed``."""
        loop = asyncio.get_running_loop()
        while True:
            wait = self._not_before - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            elif self._rounds and self._is_probed:
                self._changed.clear()
                await self._changed.wait()
            else:
                self._is_probed = bool(self._rounds)
                return loop.time()

    def succeeded(self) -> None:
        """Open the gate: the endpoint answered."""
        self._rounds = 0
        self._notify()

    def failed(self, entered: float, reason: str, *, wait: float | None = None) -> None:
        """Close the gate: the endpoint failed or asked to wait. Raises EndpointDown after ROUNDS rounds.

        A wait that the endpoint requests does not count as a failed round.
        """
        if wait is not None and wait > LONGEST_WAIT:
            raise EndpointDown(f"The endpoint asks to wait {wait:.0f} s: {reason}. Resume the job then.")
        now = asyncio.get_running_loop().time()
        is_news = entered > self._closed_at
        if is_news:
            self._closed_at = now
            self._rounds = max(self._rounds, 1) if wait is not None else self._rounds + 1
            backoff = min(LONGEST_BACKOFF, self._first_wait * 2 ** (self._rounds - 1))
            self._not_before = now + (backoff * self._random.uniform(0.75, 1.25) if wait is None else 0.0)
        if wait is not None:
            self._not_before = max(self._not_before, now + wait)
        if is_news or wait is not None:  # a fault of a known outage does not disturb its probe
            self._notify()
        if self._rounds >= ROUNDS:
            raise EndpointDown(
                f"The endpoint failed {ROUNDS} times in a row, last: {reason}. Fix it, then resume the job."
            )

    def _notify(self) -> None:
        self._is_probed = False
        self._changed.set()
