"""The version of the code, as every computed thing names it."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def code_version() -> str:
    """The installed version of Trackside, or "source" where it runs without being installed."""
    try:
        return version("trackside")
    except PackageNotFoundError:
        return "source"
