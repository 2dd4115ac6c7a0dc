"""A judge worker as a process, and how far its job is."""

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from judges.jobs.sweeping import sweep_jobs
from judges.models import Job, JobState

PATIENCE = 300  # seconds; importing torch takes a good part of them on a busy machine


@contextmanager
def worker(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a separate process group; killed at the end if it still runs."""
    command = [sys.executable, "-m", "tests.faults.judge_worker"]
    process = subprocess.Popen(
        command, env=environment | {"OMP_NUM_THREADS": "1"}, process_group=0, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Poll, and sweep every second as beat and the default worker do every ten seconds."""
    start = time.monotonic()
    for turn in itertools.count():
        if is_so():
            return
        assert time.monotonic() < start + PATIENCE, "nothing happened for a long time"
        if turn % 20 == 0:
            sweep_jobs()
        time.sleep(0.05)


def encoded_count(job: Job) -> int:
    return Job.objects.with_progress().get(pk=job.pk).encoded_count


def is_completed(job: Job) -> bool:
    return Job.objects.get(pk=job.pk).state == JobState.COMPLETED
