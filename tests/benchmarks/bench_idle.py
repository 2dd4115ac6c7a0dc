"""Processes and memory of an idle `manage.py up` with embedded servers; shared pages count once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measuring import Row

ROOT = Path(__file__).parents[2]
QUIET_SECONDS = 90  # every periodic task has run, and pools that grew have shrunk
MOST_PROCESSES, MOST_BYTES = 20, 700e6


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Start a site on a new data directory, leave it alone, and count."""
    environment = {**os.environ, "TRACKSIDE_VAR": str(folder / "var")}
    command = [sys.executable, "manage.py", "up", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as site:
        assert site.stdout
        assert any("is ready" in line for line in site.stdout)
        time.sleep(QUIET_SECONDS)
        processes = _tree(site.pid)
        memory = sum(map(_proportional_bytes, processes))
        site.send_signal(signal.SIGTERM)
        site.communicate()
    count = len(processes)
    yield Row("an idle site, processes", str(count), f"{MOST_PROCESSES}", is_met=count <= MOST_PROCESSES)
    megabytes = f"{MOST_BYTES / 1e6:,.0f} MB"
    yield Row("its memory", f"{memory / 1e6:,.0f} MB", megabytes, is_met=memory <= MOST_BYTES)


def _tree(root: int) -> list[int]:
    tree = [root]
    for pid in tree:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            tree += map(int, children.read_text().split())
    return tree


def _proportional_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
