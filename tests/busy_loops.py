"""Processes that load a machine."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.faults.brokers.running import LAUNCHER

KILLED = re.compile("SIGKILL|waiting for UP message|WorkerLostError|exited prematurely", re.IGNORECASE)
FOUR = "import os\nos.fork(), os.fork()\nwhile True: pass"


@contextmanager
def busy_loops() -> Iterator[None]:
    """Four busy loops within the block, in a session of their own, as somebody's job beside the site."""
    command = [sys.executable, "-c", LAUNCHER, sys.executable, "-c", FOUR]
    loops = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield
    finally:
        loops.communicate()  # the launcher then kills the session, as it does after a kill of pytest
