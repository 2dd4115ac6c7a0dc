"""Send requests to an endpoint over HTTP, many at a time, each once."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from trackside.judging.asking import Ask, EndpointDown, EndpointError, Response, Take
from trackside.judging.endpoints.breaker import RequestGate
from trackside.judging.endpoints.chat import DETAIL_LENGTH, retry_after
from trackside.judging.endpoints.clients import (
    BUSY,
    NOT_FOR_US,
    REFUSED,
    replica_of,
    replicas,
    requests_in_flight,
)
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    from trackside.judging.endpoints.chat_client import ChatClient, Reply

OUTAGES = frozenset(
    {
        EndpointError.SERVER_ERROR,
        EndpointError.TIMED_OUT,
        EndpointError.CONNECTION_LOST,
        EndpointError.MALFORMED,
    }
)
OK = 200
UNAVAILABLE = 503  # with a Retry-After the endpoint is busy; other server errors are failed tries
PATIENCE = 10.0  # seconds for the answers to requests that were sent before the endpoint rejected one
TICK = 1.0  # maximum seconds between two yields


class EndpointGenerator(ABC):
    """One model at an endpoint, or at several replicas that share the topics.

    Sends many requests concurrently, each once; the caller counts tries. ``path`` follows the base URL.
    """

    path: str
    in_flight: int = 64  # concurrent requests per replica, unless the environment has another number
    first_wait: float = 1.0  # seconds to wait after a first fault
    timeout: float = 120.0  # seconds for a whole response

    def __init__(self, settings: Settings) -> None:
        """Store the settings; open no connection. The key is in the variable that ``key_variable`` names.

        InputError if JUDGE_REQUESTS_IN_FLIGHT is no number of requests.
        """
        self.settings = settings
        self.in_flight = requests_in_flight(os.environ, type(self).in_flight)

    @abstractmethod
    def body(self, ask: Ask) -> dict[str, Any]:
        """Return the body of a request."""

    @abstractmethod
    def read(self, ask_id: str, reply: Reply) -> Response:
        """Parse a response with status 200."""

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        """Keep ``in_flight`` requests running and yield responses as they arrive; see ``Generator``."""
        session = Session(self)
        _enter(session)
        # No asyncio.Runner: it installs signal handlers at every run, a tenth of the time of a response.
        loop = asyncio.new_event_loop()
        try:
            while session.is_busy(loop, take(session.room)):
                yield loop.run_until_complete(session.some_responses())
                if session.down:
                    raise EndpointDown(session.down)
        finally:
            _leave(session)
            loop.run_until_complete(session.close())
            loop.close()


@dataclass(frozen=True)
class _Replica:
    """A server of the model: its faults close only its own gate."""

    url: str
    client: ChatClient
    gate: RequestGate


@dataclass(frozen=True)
class _Result:
    """The result of a request: a response, or None if the endpoint rejected it unprocessed.

    ``detail`` is its error text, ``wait`` the seconds to wait that it requests, or None.
    """

    response: Response | None
    detail: str = ""
    wait: float | None = None


_lock = Lock()
_sessions: dict[str, list[Session]] = {}  # of this process's threads, by endpoint


def _enter(session: Session) -> None:
    with _lock:
        _sessions.setdefault(session.endpoint, []).append(session)


def _leave(session: Session) -> None:
    with _lock:
        _sessions[session.endpoint].remove(session)


class Session:
    """The requests in flight at an endpoint. ``down`` is the reason to end the session, or "".

    Sessions of one endpoint share its slots evenly.
    """

    def __init__(self, backend: EndpointGenerator) -> None:
        from trackside.judging.endpoints.chat_client import ChatClient  # imports aiohttp, too

        self._backend = backend
        self._replicas = [
            _Replica(
                url,
                ChatClient(url, os.environ, path=backend.path),
                RequestGate(seed=backend.settings.seed, first_wait=backend.first_wait),
            )
            for url in replicas(backend.settings.endpoint)
        ]
        self.endpoint = backend.settings.endpoint
        self._in_flight: dict[asyncio.Task[Response], str] = {}
        self._done: list[asyncio.Task[Response]] = []
        self._arrived = asyncio.Event()
        self._sent: set[str] = set()  # ids of requests that are being sent
        self.down = ""

    @property
    def in_flight(self) -> int:
        """The number of requests without a response."""
        return len(self._in_flight)

    @property
    def room(self) -> int:
        """The number of further requests that may be sent."""
        slots = self._backend.in_flight * len(self._replicas)
        with _lock:
            peers = _sessions[self.endpoint]
            free = slots - sum(peer.in_flight for peer in peers)
        return max(0, min(free, max(1, slots // len(peers)) - self.in_flight))

    def is_busy(self, loop: asyncio.AbstractEventLoop, asks: Sequence[Ask]) -> bool:
        """Send the requests; return whether any is in flight, or none may be sent yet."""
        for ask in asks:
            task = loop.create_task(self._response(ask))
            task.add_done_callback(self._on_done)
            self._in_flight[task] = ask.id
        return bool(self._in_flight) or not self.room

    def _on_done(self, task: asyncio.Task[Response]) -> None:
        self._done.append(task)
        self._arrived.set()

    async def some_responses(self) -> list[Response]:
        """Wait for a response, at most TICK seconds; return the new ones, or all if the endpoint is down."""
        tick = asyncio.get_running_loop().call_later(TICK, self._arrived.set)
        await self._arrived.wait()
        tick.cancel()
        self._arrived.clear()
        tasks, self._done = self._done, []
        responses = [task.result() for task in tasks if self._in_flight.pop(task)]
        return responses + await self._last_responses() if self.down else responses

    async def _last_responses(self) -> list[Response]:
        """End all requests; those that are sent get PATIENCE seconds, because their answers are billed."""
        tasks = [task for task, ask_id in self._in_flight.items() if task.done() or ask_id in self._sent]
        if tasks:
            await asyncio.wait(tasks, timeout=PATIENCE)
        faults = {True: EndpointError.CONNECTION_LOST, False: EndpointError.NOT_ASKED}
        responses = [
            task.result() if task.done() else Response(ask_id, fault=faults[ask_id in self._sent])
            for task, ask_id in self._in_flight.items()
        ]
        await self._cancel()
        return responses

    async def _cancel(self) -> None:
        for task in self._in_flight:
            task.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)
        self._in_flight.clear()

    async def close(self) -> None:
        """Cancel all tasks and close all connections."""
        await self._cancel()
        for replica in self._replicas:
            await replica.client.close()

    async def _response(self, ask: Ask) -> Response:
        """Send a request once. Resend it only if the endpoint rejected it unprocessed, and so unbilled."""
        loop = asyncio.get_running_loop()
        body = self._backend.body(ask)
        replica = self._replicas[replica_of(ask.topic, len(self._replicas))]
        while True:
            entered = await replica.gate.enter()
            if self.down:
                return Response(ask.id, fault=EndpointError.NOT_ASKED)
            result = await self._request(replica, ask.id, body)
            response = result.response
            if response and response.fault not in OUTAGES:
                replica.gate.succeeded()
            else:
                try:
                    replica.gate.failed(
                        entered, response.detail if response else result.detail, wait=result.wait
                    )
                except EndpointDown as down:
                    self.down = self._located(replica, str(down))
                    response = response or Response(ask.id, fault=EndpointError.NOT_ASKED)
            if response:
                return replace(response, latency_ms=round(1000 * (loop.time() - entered)))

    def _located(self, replica: _Replica, problem: str) -> str:
        """Add the replica's URL to the problem if there are several replicas."""
        return problem if len(self._replicas) == 1 else f"{replica.url}: {problem}"

    async def _request(self, replica: _Replica, ask_id: str, body: dict[str, Any]) -> _Result:
        """Send the request once, and classify the result."""
        from trackside.judging.endpoints.chat_client import NO_RESPONSE  # imports aiohttp, too

        self._sent.add(ask_id)
        try:
            async with asyncio.timeout(self._backend.timeout):
                reply = await replica.client.post(body, ask_id)
        except TimeoutError:
            detail = f"no complete answer in {self._backend.timeout:g} s"
            return _Result(Response(ask_id, fault=EndpointError.TIMED_OUT, detail=detail))
        except NO_RESPONSE as error:
            return _Result(
                Response(ask_id, fault=EndpointError.CONNECTION_LOST, detail=str(error)[:DETAIL_LENGTH])
            )
        finally:
            self._sent.discard(ask_id)
        if reply.status != OK:
            return self._rejected(replica, ask_id, reply)
        return _Result(self._backend.read(ask_id, reply))

    def _rejected(self, replica: _Replica, ask_id: str, reply: Reply) -> _Result:
        """Classify a response whose status is not 200."""
        status, wait = reply.status, retry_after(reply.headers)
        detail = f"HTTP {status}: {reply.content[:DETAIL_LENGTH].decode(errors='replace')}"[:DETAIL_LENGTH]
        if status in NOT_FOR_US:
            problem = f"The endpoint refuses the requests: check key, model and address. {detail}"
            self.down = self._located(replica, problem)
            return _Result(Response(ask_id, fault=EndpointError.NOT_ASKED, detail=detail))
        if status in REFUSED:
            return _Result(Response(ask_id, fault=EndpointError.REQUEST_REFUSED, detail=detail))
        if status in BUSY or (status == UNAVAILABLE and wait is not None):
            return _Result(None, detail, wait)
        return _Result(Response(ask_id, fault=EndpointError.SERVER_ERROR, detail=detail), wait=wait)
