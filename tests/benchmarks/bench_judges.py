"""Judges: asking an endpoint beside a bare loop over openai's client and beside raw sockets."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from tests.benchmarks.measuring import Row, medians, peak_bytes
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.asking import Ask
from trackside.judging.endpoints.chat import request_body
from trackside.judging.settings import Settings
from trackside.judging.shipped_prompts import BUILT_IN

IN_FLIGHT, MANY_IN_FLIGHT = 64, 500
LATENCY = 0.2  # seconds
PAIRS, PAIRS_IN_FULL = 1500, 6000
MANY_PAIRS, MANY_PAIRS_IN_FULL = 2000, 10_000
REMEMBERED, REMEMBERED_IN_FULL = (400, 1500), (5000, 100_000)  # pairs whose peak memory is compared
IMAGE = b"\xff\xd8" + bytes(range(256)) * 80  # 20 kB, as a 336 px copy has
PROMPT = BUILT_IN[0]


def rows(_folder: Path, *, is_full: bool) -> Iterator[Row]:
    """The throughput of the backend as a share of a bare loop's, in turns; and its memory."""
    count = PAIRS_IN_FULL if is_full else PAIRS
    with endpoint() as url:
        settings = judge(url)
        yield _processor_row(settings, MANY_PAIRS_IN_FULL if is_full else MANY_PAIRS)
        bare(settings, 200)  # warm-up: imports, connections
        ratios, rates = [], []
        for _ in range(3):
            ours, loop = taken(asked, settings, count), taken(bare, settings, count)
            ratios.append(loop / ours)
            rates.append(count / ours)
        yield Row(
            f"openai_chat, {IN_FLIGHT} in flight, {LATENCY * 1000:.0f} ms: share of a bare loop",
            f"{sorted(ratios)[1]:.2f}",
            ">= 0.9",
            f"{sorted(rates)[1]:.0f} pairs a second; {count:,} pairs, median of three",
        )
        counts = REMEMBERED_IN_FULL if is_full else REMEMBERED
        few, many = (peak_bytes(MEMORY.format(url=url, count=each)) for each in counts)
        yield Row(
            f"openai_chat: peak memory, {counts[1]:,} pairs over {counts[0]:,}",
            f"{many / few:.2f}",
            "<= 1.05",
            f"{many / 1e6:.0f} MB",
        )


def _processor_row(settings: Settings, count: int) -> Row:
    """The processor's time with many requests in flight, whichever time the endpoint takes."""
    costs = medians(
        {
            name: partial(task, settings, count, MANY_IN_FLIGHT)
            for name, task in {"ours": asked, "openai's client": bare, "raw sockets": raw}.items()
        },
        clock=time.process_time,
    )
    ours, *others = ((name, 1000 * cost / count) for name, cost in costs.items())
    return Row(
        f"openai_chat, {MANY_IN_FLIGHT} in flight: processor time a pair",
        f"{ours[1]:.2f} ms",
        "<= 1 ms",
        ", ".join(f"{name} {cost:.2f} ms" for name, cost in others) + f"; {count:,} pairs, median of three",
        ours[1] <= 1,
    )


MEMORY = "from tests.benchmarks.bench_judges import asked, judge; asked(judge({url!r}), {count})"


def judge(url: str) -> Settings:
    """The settings of the judge at the endpoint."""
    return OpenAIChat.pinned(
        Settings(
            backend="openai_chat",
            revision=0,
            model="judge-2026-01-31",
            model_revision="",
            prompt=PROMPT.template,
            answer=PROMPT.answer,
            endpoint=url,
        )
    )


def parts_of(place: int) -> tuple[str | bytes, ...]:
    return (f"{PROMPT.template} {place}", IMAGE)


def asked(settings: Settings, count: int, in_flight: int = IN_FLIGHT) -> None:
    """Through the backend."""
    backend = OpenAIChat(settings)
    backend.in_flight = in_flight
    places = iter(range(count))

    def take(room: int) -> Sequence[Ask]:
        return [Ask(f"ts-{place:032x}", parts_of(place)) for place in islice(places, room)]

    answered = sum(response.reading is not None for batch in backend.responses(take) for response in batch)
    if answered < count - in_flight:
        raise RuntimeError("the endpoint did not answer")


def bare(settings: Settings, count: int, in_flight: int = IN_FLIGHT) -> None:
    """The same requests by openai's client and nothing else."""
    from openai import AsyncOpenAI

    async def worker(client: AsyncOpenAI, places: Iterator[int]) -> None:
        for place in places:
            body = request_body(parts_of(place), settings)
            answer = await client.chat.completions.create(**body)
            if not answer.choices[0].message.content:
                raise RuntimeError("the endpoint did not answer")

    async def run() -> None:
        places = iter(range(count))
        async with AsyncOpenAI(
            api_key="none", base_url=settings.endpoint, max_retries=0, timeout=600.0
        ) as client:
            await asyncio.gather(*(worker(client, places) for _ in range(in_flight)))

    asyncio.run(run())


def raw(settings: Settings, count: int, in_flight: int = IN_FLIGHT) -> None:
    """The same requests through sockets, which read only the length of an answer."""
    host, _, port = settings.endpoint.removeprefix("http://").removesuffix("/v1").partition(":")

    async def worker(places: Iterator[int]) -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        for place in places:
            body = json.dumps(request_body(parts_of(place), settings)).encode()
            writer.write(
                b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(body) + body
            )
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
            if not json.loads(await reader.readexactly(length))["choices"]:
                raise RuntimeError("the endpoint did not answer")
        writer.close()

    async def run() -> None:
        places = iter(range(count))
        await asyncio.gather(*(worker(places) for _ in range(in_flight)))

    asyncio.run(run())


def taken(task: Callable[[Settings, int], None], settings: Settings, count: int) -> float:
    """Seconds."""
    start = time.perf_counter()
    task(settings, count)
    return time.perf_counter() - start


SERVER = """
import time
from tests.judges.endpoint import Act, running
with running(lambda _: Act(delay={latency})) as endpoint:
    endpoint.log = type("Nothing", (list,), {{"append": lambda *_: None}})()
    print(endpoint.url, flush=True)
    time.sleep(3600)
"""


@contextmanager
def endpoint() -> Iterator[str]:
    """The loopback endpoint in a separate process."""
    command = [sys.executable, "-c", SERVER.format(latency=LATENCY)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.kill()
        process.wait()
