"""The account that the embedded PostgreSQL runs as: PostgreSQL refuses to run as root."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from trackside.errors import InputError

ACCOUNTS_FOR_ROOT = ("postgres", "nobody")
SHARED_HOME = Path("/var/lib/trackside")  # where root stores files that this account must reach


@dataclass(frozen=True)
class Account:
    """A user and its group."""

    uid: int
    gid: int

    @classmethod
    def for_cluster(cls, folder: Path) -> Self:
        """Return the account that runs the cluster in a folder, which need not exist yet.

        Raises:
            InputError: it belongs to another user, or root finds none of ACCOUNTS_FOR_ROOT.
        """
        if folder.exists():
            owner = folder.stat()
            if os.geteuid() not in {0, owner.st_uid}:
                raise InputError(
                    f"{folder} belongs to user {owner.st_uid}, so this user cannot run it. Start as that "
                    "user or as root, or choose another folder with TRACKSIDE_VAR."
                )
            return cls(owner.st_uid, owner.st_gid)
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid())
        known = {entry.pw_name: entry for entry in pwd.getpwall()}
        for name in ACCOUNTS_FOR_ROOT:
            if name in known:
                return cls(known[name].pw_uid, known[name].pw_gid)
        raise InputError(
            f"PostgreSQL does not run as root, and none of the accounts {', '.join(ACCOUNTS_FOR_ROOT)} "
            "exists. Create one, start as an ordinary user, or set DATABASE_URL."
        )

    def can_reach(self, path: Path) -> bool:
        """Return whether the mode bits let the account enter a folder or run a file."""
        return self.uid == 0 or all(self._can_traverse(step) for step in (path, *path.parents))

    def _can_traverse(self, path: Path) -> bool:
        status = path.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & 0o100)
        return bool(status.st_mode & (0o010 if status.st_gid == self.gid else 0o001))

    def own(self, folder: Path) -> None:
        """Create a folder that only this account can enter."""
        folder.mkdir(mode=0o700, parents=True)
        if os.geteuid() == 0:
            os.chown(folder, self.uid, self.gid)
