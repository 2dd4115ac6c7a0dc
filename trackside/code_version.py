"""The version of the code, stored with every computed result."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from trackside.entry_points import MEASURES, plugin_versions

LIBRARY = Path(__file__).parent
NO_NUMBERS = {"cli", "judging", "library"}  # rooms that no stored value or report depends on


@cache
def code_version() -> str:
    """The installed version of Trackside, or "source", and a hash of the code that computes numbers.

    For example 0.1.0+5d41402abc4b: a corrected formula makes stored results stale without a new release. If
    other packages add measures, a hash of their names and versions follows, as in
    0.1.0+5d41402abc4b.8b1a9953.
    """
    plugged = "\n".join(plugin_versions(MEASURES))
    added = f".{hashlib.sha256(plugged.encode()).hexdigest()[:8]}" if plugged else ""
    return f"{installed_version()}+{sources_sha256(LIBRARY)[:12]}{added}"


def installed_version() -> str:
    """The installed version of Trackside, or "source" if it is not installed."""
    try:
        return version("trackside")
    except PackageNotFoundError:
        return "source"


def sources_sha256(folder: Path) -> str:
    """SHA-256 of the names and bytes of the Python files below a folder, without those in NO_NUMBERS."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder)
        if inside.parts[0] not in NO_NUMBERS:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{content}  {inside.as_posix()}\n".encode())
    return digest.hexdigest()
