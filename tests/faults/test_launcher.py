"""Servers that tests start end with the tests."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tests.evaluation.conftest import wait_for

DIES = """
import os, sys
from pathlib import Path
from tests.faults.brokers.kinds import Broker
kept = Broker(Path(sys.argv[1]))._start(["sh", "-c", "sleep 3600 & echo $! > grandchild; wait"], {})
while not Path(sys.argv[1], "grandchild").read_text().strip():
    pass
os.kill(os.getpid(), 9)
"""


def test_servers_end_with_a_test_run_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "grandchild").touch()
    subprocess.run([sys.executable, "-c", DIES, str(tmp_path)], cwd=settings.ROOT, check=False)
    grandchild = Path("/proc", (tmp_path / "grandchild").read_text().strip())
    wait_for(lambda: not grandchild.exists(), "the end of the server")
