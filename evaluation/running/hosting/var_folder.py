"""The var folder: one process owns its site, and no other account reads it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evaluation.running.hosting.servers.install import Account
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


PRIVATE_UMASK = 0o077


def close_to_others(var: Path) -> None:
    """Create the var folder, and deny other accounts access to it and to all present and future files in it.

    If root runs the embedded PostgreSQL as another account, that account may traverse the folder to its own
    folder, but not list it.
    """
    os.umask(PRIVATE_UMASK)
    var.mkdir(parents=True, exist_ok=True)
    cluster = var / "postgres"
    is_passed = os.geteuid() == 0 and Account.for_cluster(cluster).uid != os.geteuid()
    _close(var, 0o711 if is_passed else 0o700)
    for path in var.iterdir():
        if path != cluster and not path.is_symlink():
            _close(path, 0o700 if path.is_dir() else 0o600)


def _close(path: Path, mode: int) -> None:
    with suppress(FileNotFoundError):  # another process has renamed its temporary file
        if path.stat().st_uid == os.geteuid():
            path.chmod(mode)
