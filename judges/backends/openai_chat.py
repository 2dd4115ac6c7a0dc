"""Vision endpoints that speak OpenAI's chat protocol: vendors, Azure, vLLM, SGLang, transformers serve."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from judges.core.answers import FORMS
from judges.core.asking import Ask, EndpointDown, Fault, Reply, Take
from judges.core.chat import DETAIL_LENGTH, read_completion, request_body, retry_after
from judges.core.endpoints import (
    BUSY,
    NOT_FOR_US,
    REFUSED,
    client_options,
    pinned_endpoint,
    replica_of,
    replicas,
)
from judges.core.gate import Gate
from judges.core.judge import Unit
from judges.core.settings import Settings

if TYPE_CHECKING:
    import openai
    from openai import AsyncOpenAI

OUTAGES = frozenset({Fault.SERVER_ERROR, Fault.TIMED_OUT, Fault.CONNECTION_LOST, Fault.MALFORMED})
RAW_RESPONSE_HEADER = "X-Stainless-Raw-Response"  # asks the client for the answer's bytes
UNAVAILABLE = 503  # with a time to wait it is a pushback; other server errors are tries that failed
TICK = 1.0  # seconds after which the caller hears of nothing new


class OpenAIChat:
    """One model at an endpoint, or at several replicas of it, which share the topics out among them.

    Asks many pairs at once, each once: counting tries is the caller's.
    """

    revision: ClassVar[int] = 2
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.PAIR
    in_flight: int = 64  # asks under way, for each replica
    first_wait: float = 1.0  # seconds after a first fault
    timeout: float = 120.0  # seconds for a whole answer, however slowly it drips in

    def __init__(self, settings: Settings) -> None:
        """Open no connection yet. The key comes from the environment, ``key_variable`` says which."""
        self.settings = settings

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with defaults and revisions; InputError where something is missing or not offered."""
        return pinned_endpoint(settings, revision=cls.revision)

    def replies(self, take: Take) -> Iterator[Sequence[Reply]]:
        """Keep ``in_flight`` asks under way and give replies as they come; see ``Generator``."""
        # No asyncio.Runner: it handles signals anew at every run, a tenth of the time of a reply.
        loop = asyncio.new_event_loop()
        session = _Session(self)
        try:
            while session.is_busy(loop, take(session.room)):
                yield loop.run_until_complete(session.some_replies())
                if session.down:
                    raise EndpointDown(session.down)
        finally:
            loop.run_until_complete(session.close())
            loop.close()


@dataclass(frozen=True)
class _Replica:
    """A server of the model: its faults close its own gate alone."""

    url: str
    client: AsyncOpenAI
    gate: Gate


@dataclass(frozen=True)
class _Heard:
    """What a request brought: a reply, or None where the endpoint turned it away unread.

    ``detail`` is what it said then, ``wait`` the seconds that it asks to wait, None where it names none.
    """

    reply: Reply | None
    detail: str = ""
    wait: float | None = None


class _Session:
    """What is under way at an endpoint. ``down`` says why it must end, once it must."""

    def __init__(self, backend: OpenAIChat) -> None:
        from openai import AsyncOpenAI

        self._backend = backend
        self._replicas = [
            _Replica(
                url,
                AsyncOpenAI(**client_options(url, os.environ), timeout=backend.timeout),
                Gate(seed=backend.settings.seed, first_wait=backend.first_wait),
            )
            for url in replicas(backend.settings.endpoint)
        ]
        self._under_way: dict[asyncio.Task[Reply], str] = {}
        self._done: list[asyncio.Task[Reply]] = []
        self._came = asyncio.Event()
        self._sent: set[str] = set()  # asks whose request is out at this moment
        self.down = ""

    @property
    def room(self) -> int:
        """How many more asks fit."""
        return self._backend.in_flight * len(self._replicas) - len(self._under_way)

    def is_busy(self, loop: asyncio.AbstractEventLoop, asks: Sequence[Ask]) -> bool:
        """Send the asks on their way; whether any is under way."""
        for ask in asks:
            task = loop.create_task(self._reply(ask))
            task.add_done_callback(self._keep)
            self._under_way[task] = ask.id
        return bool(self._under_way)

    def _keep(self, task: asyncio.Task[Reply]) -> None:
        self._done.append(task)
        self._came.set()

    async def some_replies(self) -> list[Reply]:
        """What has come when something has, or a second has passed; all that is left once it is down."""
        tick = asyncio.get_running_loop().call_later(TICK, self._came.set)
        await self._came.wait()
        tick.cancel()
        self._came.clear()
        done, self._done = self._done, []
        replies = [each.result() for each in done if self._under_way.pop(each)]
        if self.down:
            replies += [self._last_word(task, ask_id) for task, ask_id in self._under_way.items()]
            await self._cancel()
        return replies

    def _last_word(self, task: asyncio.Task[Reply], ask_id: str) -> Reply:
        """What has come by now of an ask under way: an answer in this very moment is billed, and counts."""
        if task.done():
            return task.result()
        return Reply(ask_id, fault=Fault.CONNECTION_LOST if ask_id in self._sent else Fault.NOT_ASKED)

    async def _cancel(self) -> None:
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._under_way.clear()

    async def close(self) -> None:
        """Leave no task and no connection behind."""
        await self._cancel()
        for replica in self._replicas:
            await replica.client.close()

    async def _reply(self, ask: Ask) -> Reply:
        """Ask once. Only what the endpoint turned away unread, and so unbilled, is sent again."""
        loop = asyncio.get_running_loop()
        body = request_body(ask.parts, self._backend.settings)
        replica = self._replicas[replica_of(ask.topic, len(self._replicas))]
        while True:
            entered = await replica.gate.enter()
            heard = await self._request(replica, ask.id, body)
            reply = heard.reply
            if reply and reply.fault not in OUTAGES:
                replica.gate.succeeded()
            else:
                try:
                    replica.gate.failed(entered, reply.detail if reply else heard.detail, wait=heard.wait)
                except EndpointDown as down:
                    self.down = self._told(replica, str(down))
                    reply = reply or Reply(ask.id, fault=Fault.NOT_ASKED)
            if reply:
                return replace(reply, latency_ms=round(1000 * (loop.time() - entered)))

    def _told(self, replica: _Replica, problem: str) -> str:
        """The problem, with the address where there are several."""
        return problem if len(self._replicas) == 1 else f"{replica.url}: {problem}"

    async def _request(self, replica: _Replica, ask_id: str, body: dict[str, Any]) -> _Heard:
        """Send the request once."""
        import openai
        from openai.types.chat import ChatCompletion

        self._sent.add(ask_id)
        ids = {"X-Request-Id": ask_id, "X-Client-Request-Id": ask_id, RAW_RESPONSE_HEADER: "raw"}
        try:
            async with asyncio.timeout(self._backend.timeout):
                # As chat.completions.with_raw_response does, less its walk through the messages' types, which
                # costs a quarter of a request.
                raw: Any = await replica.client.post(
                    "/chat/completions", cast_to=ChatCompletion, body=body, options={"headers": ids}
                )
        except openai.APIStatusError as error:
            return self._turned_away(replica, ask_id, error)
        except (openai.APITimeoutError, TimeoutError):
            detail = f"no whole answer in {self._backend.timeout:g} s"
            return _Heard(Reply(ask_id, fault=Fault.TIMED_OUT, detail=detail))
        except openai.APIConnectionError as error:
            detail = str(error.__cause__ or error)[:DETAIL_LENGTH]
            return _Heard(Reply(ask_id, fault=Fault.CONNECTION_LOST, detail=detail))
        finally:
            self._sent.discard(ask_id)
        answer = raw.http_response
        form = FORMS[self._backend.settings.answer]
        return _Heard(read_completion(ask_id, answer.content, answer.headers, form))

    def _turned_away(self, replica: _Replica, ask_id: str, error: openai.APIStatusError) -> _Heard:
        """What an answer that is no 200 means."""
        status = error.status_code
        detail = f"HTTP {status}: {error.message}"[:DETAIL_LENGTH]
        wait = retry_after(error.response.headers)
        if status in NOT_FOR_US:
            problem = f"The endpoint refuses us: check key, model and address. {detail}"
            self.down = self._told(replica, problem)
            return _Heard(Reply(ask_id, fault=Fault.NOT_ASKED, detail=detail))
        if status in REFUSED:
            return _Heard(Reply(ask_id, fault=Fault.REQUEST_REFUSED, detail=detail))
        if status in BUSY or (status == UNAVAILABLE and wait is not None):
            return _Heard(None, detail, wait)
        return _Heard(Reply(ask_id, fault=Fault.SERVER_ERROR, detail=detail), wait=wait)
