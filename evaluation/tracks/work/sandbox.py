"""Read untrusted files in a child process with limits on memory and time."""

import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Event, Thread
from typing import IO, Any, Literal

import evaluation
from trackside.errors import InputError
from trackside.sandbox.limits import OUT_OF_MEMORY, Limits
from trackside.sandbox.messages import Message, MessageBroken, receive, send

log = logging.getLogger(__name__)
ROOT = str(Path(evaluation.__file__).parents[1])
# The child inherits no environment of the site, which holds passwords and keys.
ENVIRONMENT = {
    "PATH": os.defpath,
    "LANG": "C.UTF-8",
    "PYTHONPATH": ROOT,
    "PYTHONDONTWRITEBYTECODE": "1",
    # One arena for C, and one for polars, whose allocator jemalloc returns freed memory immediately. So the
    # limit on address space limits the memory in use.
    "MALLOC_ARENA_MAX": "1",
    "_RJEM_MALLOC_CONF": "narenas:1,retain:false,dirty_decay_ms:0,muzzy_decay_ms:0",
    # One thread: several checks share the machine, and each thread's stack counts as address space.
    "POLARS_MAX_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
RUST_OUT_OF_MEMORY = b"memory allocation of"  # polars writes it before it aborts
STDERR_BYTES = 4000
GRACE = 5.0  # seconds from closing the pipe until the process must have exited

CHECKS = 10  # of the process within the seconds of silence
Limit = Literal["memory", "processor time", "silence"]


class LimitReached(InputError):
    """Reading the file exceeded the memory or processor time of valid files of its size, or stood still."""

    def __init__(self, limit: Limit, limits: Limits) -> None:
        self.limit = limit
        if limit == "silence":
            super().__init__(
                f"Reading stopped: its process did nothing for {limits.silence_seconds:,.0f} seconds. The "
                "file is not the reason. Try again; if it happens again, tell the site's staff."
            )
            return
        most = {
            "memory": f"{limits.memory / 1e6:,.0f} MB of memory",
            "processor time": f"{limits.cpu_seconds:,} seconds of processor time",
        }[limit]
        super().__init__(
            f"Reading stopped: the file needs more than {most}. Split it, or send it uncompressed."
        )


class SandboxCrashed(InputError):
    """The process that read the file died, but not because of a limit."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(
            f"The process that read the file died (exit code {exit_code}); the site's log has details. "
            "Check the file, and try again."
        )


class FileRefused(InputError):
    """The file cannot be read; the text gives the reason."""


class Sandbox:
    """A running job: read its ``messages``, and ``answer`` those that are questions.

    ``peak_bytes`` is its peak memory, set when the job is done.
    """

    peak_bytes: int

    def __init__(self, file: IO[bytes], limits: Limits, stack: ExitStack) -> None:
        self._limits = limits
        self._is_silent = False
        self._is_awaited = False
        self._message_count = 0
        self._errors = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        (child_answers, answers), (reports, child_reports) = os.pipe(), os.pipe()
        self._answers = stack.enter_context(os.fdopen(answers, "wb"))
        self._reports = stack.enter_context(os.fdopen(reports, "rb"))
        try:
            self._process = Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-m", "trackside.sandbox", str(child_answers), str(child_reports)],
                stdin=file,
                stdout=DEVNULL,
                stderr=self._errors,
                env=ENVIRONMENT,
                cwd=tempfile.gettempdir(),
                pass_fds=(child_answers, child_reports),
            )
        finally:
            os.close(child_answers)
            os.close(child_reports)

    @property
    def process_id(self) -> int:
        """Return the id of the process."""
        return self._process.pid

    def start(self, job: str, values: Mapping[str, Any], content: bytes) -> None:
        """Send the job to the process."""
        with suppress(BrokenPipeError):  # the process died: reading the first message raises the error
            job_values = {"limits": self._limits.to_json(), "values": dict(values)}
            send(self._answers, Message(job, job_values, content))

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()

    def messages(self) -> Iterator[Message]:
        """Yield the job's messages until it ends. Raises FileRefused, LimitReached, SandboxCrashed."""
        is_over = Event()
        watch = Thread(target=self._watch, args=(is_over,), name="silence", daemon=True)
        watch.start()
        try:
            while (message := self._next()).kind != "done":
                yield message
            self.peak_bytes = int(message.values["peak_bytes"])
        finally:
            is_over.set()
            watch.join()

    def answer(self, values: dict[str, Any] | None = None, content: bytes = b"") -> None:
        """Answer the current message."""
        with suppress(BrokenPipeError):  # the process died: reading the next message raises the error
            send(self._answers, Message("answer", values or {}, content))

    def _watch(self, is_over: Event) -> None:
        """Kill the process after the seconds of silence in which its next message was awaited in vain."""
        seen, silent_checks = None, 0
        while not is_over.wait(self._limits.silence_seconds / CHECKS):
            progress = (self._message_count, _ticks(self.process_id))
            is_silent = self._is_awaited and progress == seen
            seen, silent_checks = progress, silent_checks + 1 if is_silent else 0
            if silent_checks >= CHECKS:
                self._is_silent = True
                self._process.kill()
                return

    def _next(self) -> Message:
        self._is_awaited = True
        try:
            message = receive(self._reports)
            self._message_count += 1
        except MessageBroken:
            log.warning("A sandbox sent an invalid message.", exc_info=True)
            message = None
        finally:
            self._is_awaited = False
        if message is None:
            raise self._end_reason()
        if message.kind == "refused":
            raise FileRefused(str(message.values["text"]))
        return message

    def _end_reason(self) -> LimitReached | SandboxCrashed:
        try:
            code = self._process.wait(timeout=GRACE)
        except TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if self._is_silent:
            return LimitReached("silence", self._limits)
        errors = self._stderr_end()
        if code == OUT_OF_MEMORY or RUST_OUT_OF_MEMORY in errors:
            return LimitReached("memory", self._limits)
        if code == -signal.SIGXCPU:
            return LimitReached("processor time", self._limits)
        log.error("A sandbox ended with exit code %d: %s", code, errors.decode(errors="replace"))
        return SandboxCrashed(code)

    def _stderr_end(self) -> bytes:
        """Return the last STDERR_BYTES of the process's standard error."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - STDERR_BYTES))
        return self._errors.read()


def _ticks(process_id: int) -> str:
    """Return the processor time of the process in clock ticks, user and system; "" if it has ended."""
    try:
        stat = Path(f"/proc/{process_id}/stat").read_text()
    except OSError:
        return ""
    return " ".join(stat.rpartition(")")[2].split()[11:13])


@contextmanager
def sandbox(
    job: str,
    file: IO[bytes],
    *,
    limits: Limits,
    values: Mapping[str, Any] | None = None,
    content: bytes = b"",
) -> Iterator[Sandbox]:
    """Start a job in a sandbox, on a file that it reads from the start. Leaving the context kills it.

    ``job`` is the name of a module in ``trackside.sandbox.jobs``, or the full name of another module,
    ending in "_job". ``values`` and ``content`` are its arguments.
    """
    with ExitStack() as stack:
        running = Sandbox(_readable(file, stack), limits, stack)
        stack.callback(running.end)
        running.start(job, values or {}, content)
        yield running


def _readable(file: IO[bytes], stack: ExitStack) -> IO[bytes]:
    """Rewind the file for another process; copy it to disk if it is in memory or object storage."""
    with suppress(OSError, AttributeError):
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return file
    copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    file.seek(0)
    shutil.copyfileobj(file, copy)
    copy.seek(0)
    return copy
