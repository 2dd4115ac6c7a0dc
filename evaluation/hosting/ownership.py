"""Ownership of a var folder: one process runs its site, and a new start ends orphaned parts."""

import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluation.hosting.private_files import close_to_others
from trackside.errors import InputError

LEFTOVER_GRACE = 3.0  # seconds for orphans to end before they are killed; the kernel has sent them a signal
POLL = 0.02  # seconds


class SiteAlreadyRunning(InputError):
    """Another process runs the site of the var folder."""

    def __init__(self, var: Path, owner: str) -> None:
        super().__init__(
            f"The site in {var} is already running (process {owner}). Stop it first, or choose another "
            "folder with TRACKSIDE_VAR."
        )


@contextmanager
def owned(var: Path) -> Iterator[None]:
    """Own the site of a var folder within the block, and close the folder to other accounts.

    The POSIX lock always ends with this process, and children do not inherit it.

    Raises:
        SiteAlreadyRunning: a live process owns the site.
    """
    close_to_others(var)
    run = var / "run"
    run.mkdir(parents=True, exist_ok=True)
    with (run / "owner.lock").open("a+", encoding="ascii") as lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            raise SiteAlreadyRunning(var, lock.read().strip() or "unknown") from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


@contextmanager
def parts_lock(var: Path) -> Iterator[None]:
    """Hold the lock that every part inherits; first end the parts of an earlier tree that still hold it.

    The lock belongs to the open file, so it lasts until the last process that inherited it has exited. Only
    the owner of the folder may call this: then every other holder is an orphan.
    """
    path = var / "run" / "parts.lock"
    with path.open("w", encoding="ascii") as lock:
        deadline = time.monotonic() + LEFTOVER_GRACE
        while not _taken(lock.fileno()):
            if time.monotonic() > deadline:
                for pid in _holders(path):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(POLL)
        yield


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _holders(path: Path) -> list[int]:
    """Return the other processes that have the file open; unlike a stored id, none is of a later process."""
    pids = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            is_open = link.readlink() == path
        except OSError:  # the process has exited, or is another user's
            continue
        if is_open:
            pids.add(int(link.parts[2]))
    return sorted(pids - {os.getpid()})
