"""A server as a process: started after an earlier one of its folder has ended, and finally stopped."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaluation.running.hosting.children import tie_to_parent
from evaluation.running.hosting.servers.install import Account
from trackside.errors import InputError

START_LIMIT = 300.0  # seconds; a killed database first replays its log
STOP_LIMIT = 30.0
POLL = 0.02


class Server(Protocol):
    """A kind of server that ServerProcess can run."""

    name: str
    folder: Path  # its working directory, which identifies its processes
    log: Path
    stop_signal: signal.Signals
    hurry_signal: signal.Signals

    def answers(self) -> bool:
        """Return whether a server answers on our socket."""

    def start(self) -> "subprocess.Popen[bytes]":
        """Start it without waiting for an answer."""


@dataclass
class ServerProcess:
    """A running server."""

    server: Server
    child: "subprocess.Popen[bytes]"
    handle: int = field(init=False)  # a pidfd: readable once the process has ended, safe from reused ids

    def __post_init__(self) -> None:
        self.handle = os.pidfd_open(self.child.pid)

    def has_ended(self, *, within: float = 0.0) -> bool:
        """Return whether the process ends within so many seconds."""
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        return bool(poll.poll(within * 1000))

    def stop(self) -> None:
        """Stop it and wait for its end."""
        for number in (self.server.stop_signal, self.server.hurry_signal, signal.SIGKILL):
            if not self.has_ended():
                signal.pidfd_send_signal(self.handle, number)
            if self.has_ended(within=STOP_LIMIT):
                break
        self.child.wait()
        os.close(self.handle)


def begin(server: Server) -> ServerProcess:
    """Start the server. It may not answer yet.

    Raises:
        InputError: an earlier server of the folder, whose owner was killed, does not end.
    """
    for pid in processes_in(server.folder):
        with suppress(ProcessLookupError):
            os.kill(pid, server.stop_signal)
    deadline = time.monotonic() + START_LIMIT
    while pids := processes_in(server.folder):
        if time.monotonic() > deadline:
            raise InputError(
                f"An earlier {server.name} of this site does not end. End it (kill -9 "
                f"{' '.join(map(str, pids))}), then start again."
            )
        time.sleep(POLL)
    return ServerProcess(server, server.start())


def wait_until_answering(server: Server, running: ServerProcess | None = None) -> None:
    """Wait until the server answers on its socket.

    Raises:
        InputError: it ended first, or took too long.
    """
    deadline = time.monotonic() + START_LIMIT
    while not server.answers():
        if (running is not None and running.has_ended()) or time.monotonic() > deadline:
            log = server.log.read_text(encoding="utf-8", errors="replace") if server.log.exists() else ""
            tail = "\n".join(f"  {line}" for line in log.splitlines()[-5:])
            raise InputError(
                f"The embedded {server.name} did not start. The last lines of {server.log}:\n{tail}"
            )
        time.sleep(POLL)


def processes_in(folder: Path) -> list[int]:
    """Return the processes whose working directory is the folder; each server has its own."""
    wanted = folder.resolve()
    pids = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            is_inside = link.readlink() == wanted
        except OSError:  # the process has exited, or is another user's
            continue
        if is_inside:
            pids.append(int(link.parts[2]))
    return pids


def spawn(
    command: Sequence[str | Path], *, account: Account, log: Path, end: signal.Signals, env: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    """Start a server as an account; it gets no Ctrl-C of the terminal, and the signal when we die."""
    log.parent.mkdir(parents=True, exist_ok=True)
    is_dropping = os.geteuid() == 0 and account.uid != 0
    with log.open("wb") as output:  # truncated at each start, which bounds its size
        return subprocess.Popen(  # noqa: S603 - our own binaries and options
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=dict(env),
            start_new_session=True,
            user=account.uid if is_dropping else None,
            group=account.gid if is_dropping else None,
            extra_groups=[] if is_dropping else None,
            preexec_fn=tie_to_parent(end),  # after the change of user, before exec
        )
