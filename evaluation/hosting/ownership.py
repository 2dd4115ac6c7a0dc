"""Ownership of a var folder: one process runs its site."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluation.hosting.private_files import close_to_others
from trackside.errors import InputError


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
