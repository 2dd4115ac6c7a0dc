"""First page and a section page of a computed report, from gunicorn, to an organizer and to anybody."""

import http.client
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from django.conf import settings

from evaluation.running.hosting.addresses import socket_folder
from evaluation.running.hosting.embedded import EmbeddedServers, started_servers
from tests.benchmarks.measuring import Row
from tests.evaluation.conftest import site_env
from tests.faults.web_site import web_server

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")
RUNS, TOPICS, ITEMS = 16, 74, 133  # as TREC-AToMiC 2023: 9,842 items
PAGES = 200
LIMIT = 0.1  # seconds


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """First to an organizer, from processes that have not rendered it yet, then to anybody."""
    folder.chmod(0o755)  # root's servers run under another account
    try:
        with started_servers(EmbeddedServers(folder, has_database=True, has_queue=False)):
            _run(folder, "manage.py", "migrate", "--verbosity", "0")
            filled = json.loads(
                _run(folder, "-m", "tests.benchmarks.sites.reported", *map(str, (RUNS, TOPICS, ITEMS)))
            )
            with web_server(site_env(folder), log=folder / "web.log") as (port, _):
                for reader, cookie in (("an organizer", filled["cookie"]), ("anybody", "")):
                    for what in ("report", "section"):
                        yield from _rows(port, filled[what], what, reader, cookie)
    finally:
        shutil.rmtree(socket_folder(folder), ignore_errors=True)


def _run(folder: Path, *command: str) -> bytes:
    return subprocess.run(
        [sys.executable, *command],
        cwd=settings.ROOT,
        env=site_env(folder),
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


def _rows(port: int, address: str, name: str, reader: str, cookie: str) -> Iterator[Row]:
    taken: list[float] = []
    size = 0
    for _ in range(PAGES):
        begun = time.perf_counter()
        # A new connection each time, so that any process may answer.
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", address, headers={"Cookie": cookie})
        answer = connection.getresponse()
        size = len(answer.read())
        connection.close()
        taken.append(time.perf_counter() - begun)
        assert answer.status == http.client.OK, answer.status
    middle, most = (np.percentile(taken, [50, 95]) * 1000).tolist()
    page = "first" if name == "report" else "section"
    what = f"{page} page of the report of {RUNS} x {TOPICS} to {reader}, {size / 1000:.0f} kB"
    beside = f"p95 {most:.0f} ms, slowest {max(taken) * 1000:.0f} ms of {PAGES}"
    yield Row(what, f"{middle:.0f} ms", f"{LIMIT * 1000:g} ms", beside, middle < LIMIT * 1000)
