"""Sandbox jobs in threads of the test's process: to start a process that imports polars takes 0.4 s."""

import os
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, ClassVar

from trackside.sandbox.__main__ import main


class JobThread:
    """What a sandbox uses of ``subprocess.Popen``. The same messages pass; nothing limits the job."""

    pid = os.getpid()
    started: ClassVar[list[Thread]] = []

    def __init__(self, _command: object, *, stdin: IO[bytes], pass_fds: Sequence[int], **_options: object):
        numbers = [os.dup(number) for number in (stdin.fileno(), *pass_fds)]
        thread = Thread(target=_run, args=numbers, daemon=True)
        thread.start()
        self.started.append(thread)

    def kill(self) -> None:
        """Do nothing: the sandbox closes the pipes, which ends the job."""

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code of a crash: a job is waited for only when it ended without a last message."""
        return 1


def _run(file: int, answers: int, reports: int) -> None:
    try:
        with suppress(BrokenPipeError):  # the sandbox needs no more
            main(file, answers, reports)
    finally:
        os.close(file)
