"""A server as a process: adopted if it already runs, else started, and finally stopped."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaluation.hosting.children import tie_to_parent
from evaluation.hosting.servers.account import Account
from trackside.errors import InputError

START_LIMIT = 300.0  # seconds; a killed database first replays its log
STOP_LIMIT = 30.0
LAST_ANSWERS = 1.0  # seconds; Valkey checks for end signals ten times a second, and answers until then
POLL = 0.02


class ServerNotStarted(InputError):
    """A server ended or did not answer during its start."""

    def __init__(self, name: str, log: Path) -> None:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        tail = "\n".join(f"  {line}" for line in lines[-5:])
        super().__init__(f"The embedded {name} did not start. The last lines of {log}:\n{tail}")


class ServerStuck(InputError):
    """An earlier server of this folder neither answers nor ends."""

    def __init__(self, name: str, pids: Sequence[int]) -> None:
        numbers = " ".join(map(str, pids))
        super().__init__(
            f"An earlier {name} of this site neither answers nor ends. End it (kill {numbers}), then start "
            "again."
        )


class Server(Protocol):
    """A kind of server that ServerProcess can run."""

    name: str
    folder: Path  # its working directory, which identifies its processes
    log: Path
    stop_signal: signal.Signals
    hurry_signal: signal.Signals

    def answering_pid(self) -> int | None:
        """Return the process id of the server that answers on our socket; null if none does."""

    def start(self) -> "subprocess.Popen[bytes]":
        """Start it without waiting for an answer."""


@dataclass
class ServerProcess:
    """A running server. `child` is null for an adopted one."""

    server: Server
    pid: int
    child: "subprocess.Popen[bytes] | None" = None
    handle: int = field(init=False)  # a pidfd: readable once the process has ended, safe from reused ids

    def __post_init__(self) -> None:
        self.handle = os.pidfd_open(self.pid)

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
        if self.child is not None:
            self.child.wait()
        os.close(self.handle)


def begin(server: Server) -> ServerProcess:
    """Adopt the server if ours is running, else start it. It may not answer yet.

    Raises:
        ServerStuck: an earlier server neither answers nor ends.
    """
    deadline = time.monotonic() + START_LIMIT
    while pids := processes_in(server.folder):
        pid = server.answering_pid()
        if pid in pids and (adopted := _adopted(server, pid)):
            return adopted
        if time.monotonic() > deadline:  # it may be starting, replaying its log, or shutting down
            raise ServerStuck(server.name, pids)
        time.sleep(POLL)
    child = server.start()
    return ServerProcess(server, child.pid, child)


def _adopted(server: Server, pid: int) -> ServerProcess | None:
    """Return the running server; null if it ends within LAST_ANSWERS because its owner was killed."""
    try:
        adopted = ServerProcess(server, pid)
    except ProcessLookupError:
        return None
    if not adopted.has_ended(within=LAST_ANSWERS):
        return adopted
    os.close(adopted.handle)
    return None


def wait_until_answering(server: Server, running: ServerProcess | None = None) -> None:
    """Wait until the server answers on its socket.

    Raises:
        ServerNotStarted: it ended first, or took too long.
    """
    deadline = time.monotonic() + START_LIMIT
    while server.answering_pid() is None:
        if (running is not None and running.has_ended()) or time.monotonic() > deadline:
            raise ServerNotStarted(server.name, server.log)
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
