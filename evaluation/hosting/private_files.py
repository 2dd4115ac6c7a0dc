"""Makes the site's files private to its account."""

import os
from contextlib import suppress
from pathlib import Path

from evaluation.hosting.servers.account import Account

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
