"""Runs parts as forked child processes: watches them, restarts them, and stops them in order."""

import multiprocessing
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import ForkProcess
from typing import NoReturn, Self, TextIO

from evaluation.running.hosting.children import name_process, tie_to_parent
from evaluation.running.hosting.servers.server import ServerProcess
from evaluation.running.hosting.site_parts import SitePart
from trackside.errors import InputError

FORK = multiprocessing.get_context("fork")  # the code is loaded once, so a part starts in milliseconds
END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
AT_ONCE = 1.0  # seconds in which end signals count as one, because a killed parent sends several
STOP_ORDER = (("web",), ("beat",), ("worker", "long", "judges", "trials"))
# Signals, each with the seconds to wait after it. A worker finishes its task at the first signal and releases
# it at the second. A kill loses no task either, because every task may run twice.
STOP_SIGNALS = ((signal.SIGTERM, 10.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))
READY_SECONDS = 300.0  # for all parts to get ready; a busy machine may take minutes
RESTART_SECONDS = 2.0  # between the end of a part and its next start


def _ended(name: str) -> InputError:
    return InputError(f"{name} ended by itself or did not get ready. The log has the reason.")


@dataclass
class RunningPart:
    """A part and its process."""

    name: str
    run: SitePart
    process: ForkProcess
    handle: int  # a pidfd: readable once the process has ended
    is_ready: bool = False
    rest: bytes = b""  # incomplete last line of its output


class ProcessTree:
    """The parts as children of this process. Leaving the context stops them."""

    def __init__(self, log: TextIO, *, is_prefixed: bool) -> None:
        self.log, self.is_prefixed = log, is_prefixed
        self.parts: dict[str, RunningPart] = {}  # parts with a live process
        self.ended: list[RunningPart] = []
        self.lost = ""  # the name of a server that ended
        self.stopped_at = 0.0
        self.is_hurried = False
        self.selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, name: str, run: SitePart) -> None:
        """Start a part and write its output to our log."""
        output, child_output = os.pipe()
        ready, child_ready = os.pipe()
        tie = tie_to_parent(signal.SIGKILL)
        process = FORK.Process(target=_run_part, args=(run, tie, child_output, child_ready), name=name)
        process.start()
        os.close(child_output)
        os.close(child_ready)
        handle = os.pidfd_open(process.pid or 0)
        part = RunningPart(name, run, process, handle)
        self.parts[name] = part
        self._watch_for(output, partial(self._forward_output, part, output))
        self._watch_for(ready, partial(self._note_ready, part, ready))
        self._watch_for(handle, partial(self._note_end, part))

    def finish(self, name: str, run: SitePart) -> None:
        """Run a part that ends by itself, and wait for its end.

        Raises:
            InputError: the part failed.
        """
        self.start(name, run)
        process = self.parts[name].process
        self._poll_until(lambda: name not in self.parts)
        self.ended.clear()
        if process.exitcode != 0:
            raise _ended(name)

    def wait_until_ready(self) -> None:
        """Wait until every part has announced that it is ready.

        Raises:
            InputError: a part ended, or was not ready within READY_SECONDS.
        """
        waiting, deadline = set(self.parts), time.monotonic() + READY_SECONDS
        while waiting:
            self._poll(0.1)
            for name in list(waiting):
                if name not in self.parts or time.monotonic() > deadline:
                    raise _ended(name)
                if self.parts[name].is_ready:
                    waiting.remove(name)

    def watch(self, servers: Iterable[ServerProcess]) -> NoReturn:
        """Restart parts that end, after RESTART_SECONDS.

        Returns only by an exception, usually KeyboardInterrupt.

        Raises:
            InputError: a server ended, which all parts need.
        """
        for server in servers:
            self._watch_for(server.handle, partial(self._note_lost, server))
        waiting: list[tuple[float, RunningPart]] = []
        while not self.lost:
            for part in self.ended:
                code = part.process.exitcode
                self._write("site", f"{part.name} ended (exit code {code}); restart in {RESTART_SECONDS} s")
                waiting.append((time.monotonic() + RESTART_SECONDS, part))
            self.ended.clear()
            while waiting and waiting[0][0] <= time.monotonic():
                part = waiting.pop(0)[1]
                self.start(part.name, part.run)
            self._poll(0.5)
        raise _ended(self.lost)

    def stop(self) -> None:
        """Stop the parts in order; another Ctrl-C kills the parts that still run."""
        self.stopped_at = time.monotonic()
        for number in END_SIGNALS:
            signal.signal(number, self._stop_now)
        for names in (*STOP_ORDER, tuple(self.parts)):
            for number, seconds in STOP_SIGNALS:
                self._signal(names, signal.SIGKILL if self.is_hurried else number)
                self._poll_until(partial(self._are_gone, names, number), seconds)
        self._poll(0.0)
        self.selector.close()

    def _stop_now(self, *_: object) -> None:
        self.is_hurried = time.monotonic() - self.stopped_at > AT_ONCE

    def _signal(self, names: Iterable[str], number: signal.Signals) -> None:
        for name in names:
            if name in self.parts:
                signal.pidfd_send_signal(self.parts[name].handle, number)

    def _are_gone(self, names: Iterable[str], number: signal.Signals) -> bool:
        is_overtaken = self.is_hurried and number != signal.SIGKILL
        return is_overtaken or not any(name in self.parts for name in names)

    def _poll_until(self, is_over: Callable[[], bool], limit: float = float("inf")) -> None:
        deadline = time.monotonic() + limit
        while not is_over() and time.monotonic() < deadline:
            self._poll(0.1)

    def _poll(self, seconds: float) -> None:
        for key, _ in self.selector.select(seconds):
            key.data()

    def _watch_for(self, descriptor: int, call: Callable[[], None]) -> None:
        self.selector.register(descriptor, selectors.EVENT_READ, call)

    def _forget(self, descriptor: int) -> None:
        self.selector.unregister(descriptor)
        os.close(descriptor)

    def _note_ready(self, part: RunningPart, descriptor: int) -> None:
        part.is_ready = part.is_ready or bool(os.read(descriptor, 64))
        self._forget(descriptor)

    def _note_end(self, part: RunningPart) -> None:
        part.process.join()
        self._forget(part.handle)
        del self.parts[part.name]
        self.ended.append(part)

    def _note_lost(self, server: ServerProcess) -> None:
        self.selector.unregister(server.handle)
        self.lost = server.server.name

    def _forward_output(self, part: RunningPart, descriptor: int) -> None:
        block = os.read(descriptor, 65536)
        if not block:
            self._forget(descriptor)
        *lines, part.rest = (part.rest + (block or b"\n")).split(b"\n")
        for line in lines:
            if line:
                self._write(part.name, line.decode(errors="replace"))

    def _write(self, name: str, line: str) -> None:
        self.log.write(f"{name:<6} | {line}\n" if self.is_prefixed else f"{line}\n")
        self.log.flush()


def _run_part(run: SitePart, tie: Callable[[], None], output: int, ready: int) -> NoReturn:
    """Run the part in the child process."""
    tie()
    os.setsid()  # so that the terminal's Ctrl-C reaches only the root process, which stops us in order
    name_process(multiprocessing.current_process().name)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for descriptor in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(output, descriptor)
    os.close(output)
    sys.exit(run(partial(os.write, ready, b"ready")))
