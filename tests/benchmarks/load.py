"""Two hundred assessors, each with a judgment every five seconds: the requests of their browsers."""

import asyncio
import random
import re
import time
import urllib.parse
import uuid
from typing import Any

from tests.faults.web_site import saving

ASSESSORS = 200
PAUSE = 5.0  # seconds from one judgment of an assessor to the next
LIMIT = 0.1  # seconds that 95 of 100 may take
AHEAD = 3  # the item that the screen asks for after a judgment
FINE = (200, 204)  # 204: a page asks again later, because nothing has changed
LONG_NAME = re.compile(r"[0-9a-f]{64}|\d+")  # numbers and hashes of addresses: faults are counted by kind


class Browser:
    """One person's connection, kept alive as a browser keeps it; other answers than FINE go to ``faults``."""

    def __init__(self, port: int, faults: list[str]) -> None:
        self.port, self.faults = port, faults
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], body: str = "") -> int:
        """Send a request and read its answer to the end; once more where the idle connection was closed."""
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        request = ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
        status, problem = 0, ""
        for _ in range(2):
            if self.streams is None:
                self.streams = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                status = await self._exchange(*self.streams, request)
                break
            except (OSError, asyncio.IncompleteReadError) as error:
                problem = type(error).__name__
                self.streams[1].close()
                self.streams = None
        if status not in FINE:
            self.faults.append(f"{status or problem} {method} {LONG_NAME.sub('…', path)}")
        return status

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
    ) -> int:
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if "transfer-encoding: chunked" in head:
            while size := int(await reader.readuntil(b"\r\n"), 16):
                await reader.readexactly(size + 2)
            await reader.readexactly(2)
        else:
            length = head.partition("content-length:")[2].partition("\r\n")[0]
            await reader.readexactly(int(length or 0))  # a 204 has none
        return int(head.split()[1])


class Load:
    """Measured seconds by kind of request, and the faults of the browsers."""

    def __init__(self, port: int, works: list[dict[str, Any]], seconds: float) -> None:
        self.port, self.works, self.seconds = port, works, seconds
        self.taken: dict[str, list[float]] = {"save": [], "next item": []}
        self.faults: list[str] = []

    async def run(self) -> None:
        dice = random.Random(0)
        await asyncio.gather(*(self.assess(work, dice.uniform(0, PAUSE)) for work in self.works))

    async def assess(self, work: dict[str, Any], delay: float) -> None:
        browser, start = Browser(self.port, self.faults), time.perf_counter() + delay
        items = work["items"]
        for step in range(int(self.seconds / PAUSE)):
            await asyncio.sleep(start + step * PAUSE - time.perf_counter())
            place, _, image = items[step]
            headers, fields = saving(work, image, step % 3, str(uuid.uuid4()))
            address = f"/judging/{work['assignment']}/items"
            form = urllib.parse.urlencode(fields)
            begun = time.perf_counter()
            await browser.ask("POST", f"{address}/{place}/judgment", headers, form)
            self.note("save", begun)
            place, _, image = items[step + AHEAD]
            cookie = {"Cookie": work["cookie"]}
            begun = time.perf_counter()
            await browser.ask("GET", f"{address}/{place}/content", cookie)
            await browser.ask("GET", f"/images/{image}/display", cookie)
            self.note("next item", begun)

    def note(self, kind: str, begun: float) -> None:
        self.taken[kind].append(time.perf_counter() - begun)
