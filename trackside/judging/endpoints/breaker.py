"""When to stop a job, or to hold its requests back, before it wastes attempts and money."""

import asyncio
import random
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

from trackside.judging.answers import SCORED
from trackside.judging.asking import EndpointDown, EndpointError, Response
from trackside.judging.endpoints.chat import DETAIL_LENGTH

LONGEST_WAIT = 600.0  # seconds; a longer Retry-After pauses the job, so that an organizer decides
LONGEST_BACKOFF = 60.0
ROUNDS = 7  # consecutive failed probes, or refusals without a wait: one to two minutes

LAST, FAULTY = 10, 5  # a gate closes when so many of the last answers are faults
FAILED = 25  # failed requests in a row, with no answer between them
OF_ONE_TOPIC = 100  # limit if all were refused and belong to one topic: the topic may be the cause
UNSCORED = 100  # answers in a row without a score


@dataclass
class Breaker:
    """Consecutive failures, over the responses in order of arrival.

    ``is_tried``: the model has answered a prompt with all its examples, or the prompt has none. Pairs of
    ``example_topics`` are not shown all of them.
    """

    example_topics: Collection[str] = ()
    is_tried: bool = True
    _failed: list[tuple[EndpointError | None, str]] = field(default_factory=list)  # with the topic of each
    _unscored_count: int = 0

    def is_first(self, topic: str) -> bool:
        """Whether a prompt of the topic is the first with all examples: it must be sent alone."""
        return not self.is_tried and topic not in self.example_topics

    def count(self, response: Response, topic: str) -> str:
        """Count a response; return the reason to stop, or "" to continue."""
        if self.is_first(topic):
            if response.fault is EndpointError.REQUEST_REFUSED:
                return f"The model refuses a prompt with all examples: {response.detail}"
            self.is_tried = response.reading is not None
        if response.reading is None:
            self._failed.append((response.fault, topic))
            is_one_topic = set(self._failed) == {(EndpointError.REQUEST_REFUSED, topic)}
            if len(self._failed) < (OF_ONE_TOPIC if is_one_topic else FAILED):
                return ""
            last = f"{response.fault}: {response.detail}"
            return f"{len(self._failed)} requests in a row failed, the last as {last}"
        self._failed = []
        self._unscored_count = 0 if response.reading.outcome in SCORED else self._unscored_count + 1
        if self._unscored_count < UNSCORED:
            return ""
        last = f'the last one is {response.reading.outcome}: "{response.text[:DETAIL_LENGTH]}"'
        return f"{UNSCORED} answers in a row gave no score, {last}"


class RequestGate:
    """A circuit breaker for one endpoint.

    When half of the last answers are faults, or the endpoint asks to wait, the gate closes for a moment; then
    one request is sent as a probe, and its success opens the gate. Single faults of a server that answers
    close nothing, and a longer outage costs one attempt of one pair per round, not one of each pair in
    flight. Faults of requests that were sent before the gate last closed belong to the same outage and count
    once.
    """

    def __init__(self, *, seed: int, first_wait: float) -> None:
        self._random = random.Random(seed)  # noqa: S311 - spreads waits, keeps no secret
        self._first_wait = first_wait
        self._not_before = 0.0
        self._rounds = 0
        self._faults: deque[bool] = deque(maxlen=LAST)
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
        if self._rounds:
            self._faults.clear()
        self._rounds = 0
        self._faults.append(False)
        self._notify()

    def failed(self, entered: float, reason: str, *, wait: float | None = None) -> None:
        """Count a fault, or a wait that the endpoint asks for. Raises EndpointDown after ROUNDS rounds.

        A wait that the endpoint requests does not count as a failed round.
        """
        if wait is not None and wait > LONGEST_WAIT:
            raise EndpointDown(f"The endpoint asks to wait {wait:.0f} s: {reason}. Resume the job then.")
        self._faults.append(True)
        if wait is None and not self._rounds and sum(self._faults) < FAULTY:
            return
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
