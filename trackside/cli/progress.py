"""Progress of long operations, on standard error and only on a terminal."""

import io
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_QUIET_SECONDS = 2.0
_SECONDS_APART = 0.1
_PAGE = 4096  # bytes


class ProgressLine:
    """A progress line, rewritten in place, shown after two seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _QUIET_SECONDS
        self._is_watched = sys.stderr.isatty()
        self._is_shown = False

    def show(self, text: str) -> None:
        """Show the progress."""
        if self._is_watched and time.monotonic() > self._next:
            self._next = time.monotonic() + _SECONDS_APART
            self._is_shown = True
            sys.stderr.write(f"\r{text}")
            sys.stderr.flush()

    def end(self, text: str) -> None:
        """Show that the work is done, if the line is visible."""
        if self._is_shown:
            sys.stderr.write(f"\r{text}\n")
            self._is_shown = False


def with_progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the items. On a terminal, after two seconds, a line shows how many of ``total`` are done."""
    line = ProgressLine()
    for done, item in enumerate(items):
        line.show(f"{what}: {done:,} of {total:,}")
        yield item
    line.end(f"{what}: {total:,} of {total:,}")


@contextmanager
def open_with_progress(path: str) -> Iterator[str | io.BufferedReader]:
    """Open the file of a path. On a terminal, after two seconds, a line shows how much of it was read.

    Yields the path itself if it is not a regular file (standard input, a pipe) or is not readable.
    """
    if path == "-" or not Path(path).is_file() or not os.access(path, os.R_OK):
        yield path
        return
    with _WatchedFile(path) as file:
        yield file


class _WatchedFile(io.BufferedReader):
    """A file that shows how much of it was read."""

    def __init__(self, path: str) -> None:
        super().__init__(io.FileIO(path))
        self._line = ProgressLine()
        self._size = Path(path).stat().st_size

    def read(self, size: int | None = -1, /) -> bytes:
        """Read like any file, and show the progress."""
        if size and size > 0:
            # Python allocates the whole size first, which takes longer than reading a small file.
            size = min(size, max(self._size - self.tell(), 0) + _PAGE)
        content = super().read(size)
        self._line.show(f"{self.name}: {self.tell() / max(self._size, 1):4.0%} read")
        return content

    def close(self) -> None:
        """Close the file, and end the progress line."""
        self._line.end(f"{self.name}: 100% read")
        super().close()
