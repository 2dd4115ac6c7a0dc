"""The rush before a deadline: uploads a minute, how long verdicts take, and how fast pages are meanwhile."""

import os
import random
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGINT
from typing import Any

import numpy as np
import psycopg

from evaluation.running.hosting.addresses import EMBEDDED_NAME, socket_folder
from tests.benchmarks.measuring import Row
from tests.benchmarks.runs import docno_list, write_run
from tests.benchmarks.sites.separate import filled_site
from tests.benchmarks.sites.uploading import TOPICS
from tests.evaluation.conftest import Process
from tests.faults.uploading import Sender, run_of

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")
DEPTH = 1_000  # results a topic: 50,000 lines a run
DOCUMENTS = 200_000
TEAMS = 25
FILES = 8  # different rankings; each upload has another tag, and so other bytes
A_MINUTE, IN_THE_RUSH = 350 / 55, 150 / 5  # of 500 in an hour, 150 in its last five minutes
LATE = 5  # uploads under way when the task closes, and as many after it
SLOWEST = 60.0  # seconds that no verdict may take
PAUSE = 0.5  # seconds between two pages of a reader


Stored = tuple[int, str, bool]
"""Number and state of a run, and whether its last byte was in time by the database's clock."""


@dataclass
class Verdicts:
    """Seconds to the verdict by run number, and seconds of page requests."""

    verdicts: dict[int, float] = field(default_factory=dict)
    pages: list[float] = field(default_factory=list)
    late: list[int | None] = field(default_factory=list)
    refused: int = 0


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """The whole hour when all is measured, else one minute of the rush."""
    yield from measured(folder, calm=55 if is_full else 0, rush=5 if is_full else 1)


def measured(folder: Path, *, calm: float, rush: float) -> Iterator[Row]:
    """Minutes at the hour's pace, minutes of the rush, then the close."""
    folder.chmod(0o755)  # root's servers run under another account
    try:
        yield from _measured(folder, calm, rush)
    finally:
        shutil.rmtree(socket_folder(folder), ignore_errors=True)


def _measured(folder: Path, calm: float, rush: float) -> Iterator[Row]:
    files = _files(folder)
    site = Process(folder, "manage.py", "up", "--port", "0")
    try:
        site.wait_for_text("Trackside is ready on")
        port = int(site.text.rpartition("ready on ")[2].split()[0].rpartition(":")[2])
        filled = filled_site(folder, "uploading", TEAMS, DOCUMENTS, (calm + rush) * 60)
        outcome, count, taken = _upload(port, filled, files, calm, rush)
        stored = _stored(folder)
    finally:
        with suppress(ProcessLookupError):
            site.end(SIGINT)
    yield from _rows(outcome, stored, count, taken, f"{calm + rush:g} min")


def _rows(
    outcome: Verdicts, stored: list[tuple[int, str, bool]], count: int, taken: float, span: str
) -> Iterator[Row]:
    accepted = {run for run, state, _ in stored if state == "accepted"}
    lost = set(outcome.verdicts) - accepted
    late_taken = [run for run in outcome.late if run is not None]
    out_of_time = sum(not is_in_time for _, _, is_in_time in stored)
    what = f"{count} uploads of {TOPICS * DEPTH:,} lines in {span}, {DOCUMENTS:,} documents"
    beside = f"{len(outcome.verdicts)} accepted, {outcome.refused} refused in time, {len(lost)} lost"
    yield Row(f"{what}: uploads a minute", f"{len(outcome.verdicts) / taken * 60:.1f}", "", beside, not lost)
    seconds = np.array(list(outcome.verdicts.values()))
    slowest, median = float(seconds.max()), float(np.median(seconds))
    yield Row(
        "from the last byte to the verdict on the page, slowest",
        f"{slowest:.1f} s",
        f"under {SLOWEST:g} s",
        f"median {median:.1f} s",
        slowest < SLOWEST and outcome.refused == 0,
    )
    middle, most = np.percentile(outcome.pages, [50, 95]) * 1000
    yield Row("pages meanwhile", f"p95 {most:.0f} ms", "", f"median {middle:.0f} ms of {len(outcome.pages)}")
    yield Row(
        f"{2 * LATE} uploads that end after the close, taken",
        str(len(late_taken) + out_of_time),
        "0",
        f"{len(stored)} runs stored",
        not late_taken and not out_of_time and len(stored) == len(outcome.verdicts),
    )


def _files(folder: Path) -> list[bytes]:
    docnos = docno_list(DOCUMENTS)
    return [
        write_run(folder / f"run{seed}", TOPICS, DEPTH, docnos, seed).read_bytes() for seed in range(FILES)
    ]


def _upload(
    port: int, filled: dict[str, Any], files: list[bytes], calm: float, rush: float
) -> tuple[Verdicts, int, float]:
    """Return the verdicts, the number sent in time, and the seconds until the last verdict."""
    dice, outcome = random.Random(0), Verdicts()
    address = f"{filled['task']}runs/upload/"
    senders = [Sender(port, each["cookie"], address, each["team"]) for each in filled["teams"]]
    start, closes = time.time(), float(filled["closes_at"])
    moments = sorted(
        [dice.uniform(start, closes - rush * 60) for _ in range(round(calm * A_MINUTE))]
        # The last begins two seconds before the close, so that its bytes arrive in time.
        + [dice.uniform(closes - rush * 60, closes - 2) for _ in range(round(rush * IN_THE_RUSH))]
    )
    is_over = threading.Event()
    reader = threading.Thread(target=_read, args=(senders[0], filled["task"], outcome, is_over))
    reader.start()
    with ThreadPoolExecutor(len(moments) + 2 * LATE) as pool:
        for number, moment in enumerate(moments):
            content = files[number % FILES].replace(b" run_%03d\n" % (number % FILES), b" rush-%d\n" % number)
            pool.submit(_send, senders[number % TEAMS], content, number, moment, outcome)
        for number in range(LATE):
            pool.submit(_send_across, senders[number], files[0], closes, outcome)
            pool.submit(_send_after, senders[number], files[1], closes, outcome)
    taken = time.time() - start
    is_over.set()
    reader.join()
    return outcome, len(moments), taken


def _send(sender: Sender, content: bytes, number: int, moment: float, outcome: Verdicts) -> None:
    """Upload at the moment, and follow the check as the page does, second by second."""
    time.sleep(max(0.0, moment - time.time()))
    run = sender.send(content, name=f"{number}.run")
    if run is None:
        outcome.refused += 1
        return
    received = time.time()
    page = f"{sender.address.removesuffix('upload/')}{run}/"
    while sender.get(page, **{"HX-Request": "true"}) == 204:
        time.sleep(1)
    outcome.verdicts[run] = time.time() - received


def _send_across(sender: Sender, content: bytes, closes: float, outcome: Verdicts) -> None:
    """Begin before the close and send the last byte after it."""
    request = sender.request(content, name="across.run")
    time.sleep(max(0.0, closes - 3 - time.time()))
    with sender.connect() as connection:
        connection.sendall(request[:-1])
        time.sleep(max(0.0, closes + 1 - time.time()))
        connection.sendall(request[-1:])
        outcome.late.append(run_of(connection))


def _send_after(sender: Sender, content: bytes, closes: float, outcome: Verdicts) -> None:
    time.sleep(max(0.0, closes + 0.5 - time.time()))
    outcome.late.append(sender.send(content, name="after.run"))


def _read(sender: Sender, task: str, outcome: Verdicts, is_over: threading.Event) -> None:
    """Open teams' pages one after the other until all verdicts are stored."""
    pages = ("/", task, f"{task}runs/", f"{task}runs/upload/")
    while not is_over.wait(PAUSE):
        for page in pages:
            begun = time.perf_counter()
            assert sender.get(page) == 200
            outcome.pages.append(time.perf_counter() - begun)


def _stored(folder: Path) -> list[Stored]:
    """Every run."""
    with psycopg.connect(host=str(socket_folder(folder)), user=EMBEDDED_NAME, dbname=EMBEDDED_NAME) as found:
        return found.execute(
            "SELECT run.id, run.state, run.received_at <= task.closes_at"
            " FROM evaluation_run run JOIN evaluation_task task ON task.id = run.task_id"
        ).fetchall()
