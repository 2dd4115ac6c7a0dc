"""A loopback endpoint of OpenAI's chat protocol that can fail in every way that real ones do.

It logs each request it reads. The score depends on the words and the image of the request, so a test knows
which answer belongs to which pair.
"""

import asyncio
import base64
import hashlib
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

PROMPT_TOKENS, COMPLETION_TOKENS = 700, 5


@dataclass(frozen=True)
class Request:
    """A received request: its index in the log from 0, its headers in lower case, its content."""

    number: int
    method: str
    target: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def body(self) -> Mapping[str, Any]:
        """The content as JSON."""
        found: Mapping[str, Any] = json.loads(self.content)
        return found

    @property
    def id(self) -> str:
        return self.headers.get("x-request-id", "none")

    @property
    def parts(self) -> list[str | bytes]:
        """The texts and the bytes of images that it shows, in order."""
        return [
            part["text"]
            if part["type"] == "text"
            else base64.b64decode(part["image_url"]["url"].partition("base64,")[2])
            for part in self.body["messages"][0]["content"]
        ]

    @property
    def shown(self) -> str:
        """The model's input, as one string."""
        return json.dumps(self.body["messages"], sort_keys=True)


@dataclass(frozen=True)
class Act:
    """The response to a request; by default a plain answer.

    ``text`` None gives the score of the pair. The answer waits for ``delay`` seconds and for ``is_time``.
    ``is_drip`` sends head and body byte by byte, ``is_endless`` a body that does not end, ``is_reset`` cuts
    the connection, ``is_last`` closes it after the answer without a word.
    """

    text: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    delay: float = 0.0
    is_time: Callable[[], bool] = lambda: True
    finish_reason: str = "stop"
    echo: str = ""
    refusal: str | None = None
    logprobs: Any = None
    is_reset: bool = False
    is_last: bool = False
    is_drip: bool = False
    is_endless: bool = False


Plan = Callable[[Request], Act]


def score_of(shown: str) -> int:
    """The endpoint's score for its input, from 1 to 100."""
    return 1 + int.from_bytes(hashlib.sha256(shown.encode()).digest()[:4]) % 100


def plain(_: Request) -> Act:
    """Answer everything."""
    return Act()


class Endpoint:
    """A running endpoint: its base URL, its log, and the ids of the requests it gave a completion."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.url = ""
        self.log: list[Request] = []
        self.answered: list[str] = []
        self.peak = self.connection_count = self.closed_count = 0
        self._under_way = 0

    @property
    def asked(self) -> list[Request]:
        """The requests for an answer, without those for the model's properties."""
        return [request for request in self.log if request.method == "POST"]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One keep-alive connection."""
        self.connection_count += 1
        try:
            while (request := await self._read(reader)) is not None:
                self._under_way += 1
                self.peak = max(self.peak, self._under_way)
                try:
                    if not await self._act(self.plan(request), request, writer):
                        break
                finally:
                    self._under_way -= 1
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):  # also of TLS
                await writer.wait_closed()
            self.closed_count += 1

    async def _read(self, reader: asyncio.StreamReader) -> Request | None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        request = Request(len(self.log), method, target, headers, content)
        self.log.append(request)
        return request

    async def _act(self, act: Act, request: Request, writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(act.delay)
        while not act.is_time():
            await asyncio.sleep(0.01)
        if act.is_reset:
            writer.transport.abort()
            return False
        content = act.body if act.body is not None else completion(act, request)
        head = {
            "content-type": act.content_type,
            **({"transfer-encoding": "chunked"} if act.is_endless else {"content-length": str(len(content))}),
            "date": "Sat, 01 Aug 2026 12:00:00 GMT",
            **act.headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        sent = f"HTTP/1.1 {act.status} Act\r\n{lines}\r\n".encode()
        if act.is_drip:
            for byte in sent + content:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
        else:
            writer.write(sent + content * (not act.is_endless))
        while act.is_endless:
            writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
            await writer.drain()
        if act.status == 200 and act.body is None:
            self.answered.append(request.id)
        await writer.drain()
        await asyncio.sleep(0.05 * act.is_last)  # the client has read the answer
        return not act.is_last


def completion(act: Act, request: Request) -> bytes:
    """The body of an answer, or of an error for any other status."""
    if act.status != 200:
        return json.dumps({"error": {"message": f"planned {act.status}", "type": "planned"}}).encode()
    text = f"Relevance: {score_of(request.shown)}" if act.text is None else act.text
    choice = {
        "index": 0,
        "finish_reason": act.finish_reason,
        "message": {"role": "assistant", "content": text, "refusal": act.refusal},
        "logprobs": act.logprobs,
    }
    usage = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS}
    answer = {
        "id": f"chatcmpl-{act.echo or request.id}",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [choice],
        "usage": usage | {"total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS},
    }
    return json.dumps(answer).encode()


@contextmanager
def running(plan: Plan = plain, *, port: int = 0, tls: ssl.SSLContext | None = None) -> Iterator[Endpoint]:
    """Serve on the loopback in a thread while the body runs."""
    endpoint = Endpoint(plan)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        asyncio.start_server(endpoint.serve, "127.0.0.1", port, limit=2**24, ssl=tls)
    )
    endpoint.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield endpoint
    finally:
        asyncio.run_coroutine_threadsafe(_stop(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _stop(server: asyncio.Server) -> None:
    server.close()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
