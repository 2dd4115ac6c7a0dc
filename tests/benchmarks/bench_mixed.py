"""A busy day: 200 assessors, 50 participants in the rush before a deadline, organizers on every page."""

import asyncio
import os
import random
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from signal import SIGINT
from typing import Any

import numpy as np

from evaluation.running.hosting.addresses import socket_folder
from tests.benchmarks.bench_uploads import DEPTH, FILES, IN_THE_RUSH
from tests.benchmarks.load import AHEAD, ASSESSORS, LIMIT, PAUSE, Browser, Load
from tests.benchmarks.measuring import Row
from tests.benchmarks.runs import docno_list, write_run
from tests.benchmarks.sites.mixed import DOCUMENTS, ORGANIZERS, TEAMS
from tests.benchmarks.sites.separate import cpu_seconds_by_part, filled_site, stolen_seconds, web_megabytes
from tests.benchmarks.sites.uploading import TOPICS
from tests.evaluation.conftest import Process
from tests.faults.uploading import RUN_PAGE, Sender

READ = 10.0  # seconds from one page of a participant or organizer to the next
MEMORY = Path("/dev/shm")  # a file system in memory
SETTLING = 120  # seconds that the task stays open beyond the load, so that each upload is in time


class MixedLoad(Load):
    """The assessors of ``Load``, and beside them participants and organizers."""

    def __init__(self, port: int, filled: dict[str, Any], files: list[bytes], seconds: float) -> None:
        super().__init__(port, filled["works"], seconds)
        self.filled, self.files = filled, files
        self.taken |= {"participants' pages": [], "organizers' pages": [], "verdict": []}
        self.slowest: Counter[str] = Counter()  # milliseconds of organizers' pages, by name

    async def run(self) -> None:
        """All of them, until the time is over and each upload has its verdict."""
        dice = random.Random(1)
        uploads, task = self.filled["uploads"], self.filled["uploads"]["task"]
        senders = [
            Sender(self.port, each["cookie"], f"{task}runs/upload/", each["team"])
            for each in uploads["teams"]
        ]
        count = round(IN_THE_RUSH * self.seconds / 60)
        moments = [dice.uniform(0, self.seconds) for _ in range(count)]
        pages = {page: page for page in ("/", task, f"{task}runs/", f"{task}runs/upload/")}
        await asyncio.gather(
            super().run(),
            *(self.upload(senders[number % TEAMS], number, delay) for number, delay in enumerate(moments)),
            *(
                self.read("participants' pages", each.cookie, pages, dice.uniform(0, READ), start)
                for start, each in enumerate(senders)
            ),
            *(
                self.read("organizers' pages", cookie, self.filled["pages"], dice.uniform(0, READ), start)
                for start, cookie in enumerate(self.filled["organizers"])
            ),
        )

    async def read(self, kind: str, cookie: str, pages: dict[str, str], delay: float, start: int) -> None:
        """Open one page after the other; each reader begins with another."""
        browser, begun = Browser(self.port, self.faults), time.perf_counter() + delay
        turns = cycle(pages.items())
        for _ in range(start * len(pages) // ORGANIZERS % len(pages)):
            next(turns)
        for step in range(int(self.seconds / READ)):
            await asyncio.sleep(begun + step * READ - time.perf_counter())
            name, page = next(turns)
            asked = time.perf_counter()
            await browser.ask("GET", page, {"Cookie": cookie})
            self.note(kind, asked)
            if kind == "organizers' pages":
                self.slowest[name] = max(self.slowest[name], round(self.taken[kind][-1] * 1000))

    async def upload(self, sender: Sender, number: int, delay: float) -> None:
        """Send a run at its moment, and follow the check as the page does, second by second."""
        await asyncio.sleep(delay)
        own = b" run_%03d\n" % (number % FILES)
        content = self.files[number % FILES].replace(own, b" rush-%d\n" % number)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(sender.request(content, name=f"{number}.run"))
        answer = (await reader.read()).decode("latin-1")
        writer.close()
        location = next((line for line in answer.splitlines() if line.lower().startswith("location:")), "")
        found = RUN_PAGE.search(location)
        if found is None:
            self.faults.append(f"upload {answer[:40]}")
            return
        received, browser = time.perf_counter(), Browser(self.port, self.faults)
        page = f"{sender.address.removesuffix('upload/')}{found[1]}/"
        while await browser.ask("GET", page, {"Cookie": sender.cookie, "HX-Request": "true"}) == 204:
            await asyncio.sleep(1)
        self.note("verdict", received)


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Ten minutes beside 84,000 items and 378,000 judgments when all is measured, else one minute.

    Each save waits until the disk has flushed it. So there are two rounds: with the site's files on disk,
    beside that disk's own time for a flush, and in memory.
    """
    yield from _round(folder, "", is_full=is_full)
    with tempfile.TemporaryDirectory(prefix="trackside-bench-", dir=MEMORY) as in_memory:
        yield from _round(Path(in_memory), ", files in memory", is_full=is_full)


def _round(folder: Path, place: str, *, is_full: bool) -> Iterator[Row]:
    minutes = 10 if is_full else 1
    folder.chmod(0o755)  # root's servers run under another account
    docnos = docno_list(DOCUMENTS)
    files = [
        write_run(folder / f"run{seed}", TOPICS, DEPTH, docnos, seed).read_bytes() for seed in range(FILES)
    ]
    site = Process(folder, "manage.py", "up", "--port", "0")
    try:
        site.wait_for_text("Trackside is ready on")
        port = int(site.text.rpartition("ready on ")[2].split()[0].rpartition(":")[2])
        size = "full" if is_full else "tenth"
        items = int(minutes * 60 / PAUSE) + AHEAD
        filled = filled_site(folder, "mixed", items, minutes * 60 + SETTLING, size)
        load, begun = MixedLoad(port, filled, files, minutes * 60), time.perf_counter()
        before, fresh = _seconds_taken(site.child.pid), web_megabytes(site.child.pid)
        with timed_flushes(folder / "flushed") as flushes:
            asyncio.run(load.run())
        wall, after = time.perf_counter() - begun, _seconds_taken(site.child.pid)
        grown = web_megabytes(site.child.pid)
        shares = {part: (after[part] - before[part]) / wall for part in after}
    finally:
        with suppress(ProcessLookupError):
            site.end(SIGINT)
        shutil.rmtree(socket_folder(folder), ignore_errors=True)
    who = f"{ASSESSORS} assessors, {TEAMS} participants, {ORGANIZERS} organizers, {minutes} min{place}"
    yield from _rows(load, who, shares)
    yield Row(f"{who}: flush of 8 kB to the same disk, each second", _figure(flushes))
    yield Row(
        f"memory of the largest web process{place}, before and after", f"{fresh:.0f} and {grown:.0f} MB"
    )


@contextmanager
def timed_flushes(path: Path) -> Iterator[list[float]]:
    """Seconds of a flush, once a second while the block runs: the least that a commit waits."""
    taken: list[float] = []
    is_over = threading.Event()

    def flush() -> None:
        with path.open("wb", buffering=0) as file:
            while not is_over.wait(1):
                file.write(bytes(8192))
                begun = time.perf_counter()
                os.fdatasync(file.fileno())
                taken.append(time.perf_counter() - begun)

    thread = threading.Thread(target=flush)
    thread.start()
    try:
        yield taken
    finally:
        is_over.set()
        thread.join()


def _figure(taken: list[float]) -> str:
    median, most = (np.percentile(taken, [50, 95]) * 1000).tolist()
    return f"p95 {_milliseconds(most)}, median {_milliseconds(median)} of {len(taken):,}"


def _milliseconds(count: float) -> str:
    return f"{count:.0f} ms" if count >= 10 else f"{count:.1f} ms"


def _seconds_taken(site: int) -> dict[str, float]:
    """Seconds of processor so far: of each part of the site, of this generator, and of other machines."""
    others = {"generator": time.process_time(), "other machines": stolen_seconds()}
    return cpu_seconds_by_part(site) | others


def _rows(load: MixedLoad, who: str, shares: dict[str, float]) -> Iterator[Row]:
    page, longest = load.slowest.most_common(1)[0]
    faults = ", ".join(f"{count} × {fault}" for fault, count in Counter(load.faults).items()) or "none"
    cores = ", ".join(f"{part} {share:.2f}" for part, share in shares.items() if share >= 0.005)
    beside = {
        "save": f"refused or reset: {faults}; cores taken: {cores}",
        "organizers' pages": f"slowest: {page}, {longest} ms",
        "verdict": f"uploads of {TOPICS * DEPTH:,} lines",
    }
    for kind, taken in load.taken.items():
        is_bounded = kind in ("save", "next item")
        target = f"p95 under {LIMIT * 1000:g} ms" if is_bounded else ""
        is_met = bool(np.percentile(taken, 95) < LIMIT) and not load.faults if is_bounded else None
        yield Row(f"{who}: {kind}", _figure(taken), target, beside.get(kind, ""), is_met)
