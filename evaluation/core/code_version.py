"""The version of the code, as every computed thing names it."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CORE = Path(__file__).parent


@cache
def code_version() -> str:
    """The installed version of Trackside, or "source", and of what code numbers are computed by.

    Such as 0.1.0+5d41402abc4b: a mended formula makes what is stored stale without a new release.
    """
    try:
        installed = version("trackside")
    except PackageNotFoundError:
        installed = "source"
    return f"{installed}+{sources_sha256(CORE)[:12]}"


def sources_sha256(folder: Path) -> str:
    """Of the names and bytes of all Python files below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        found.update(f"{content}  {path.relative_to(folder).as_posix()}\n".encode())
    return found.hexdigest()
