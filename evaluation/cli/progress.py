"""Progress of long work, on standard error and only where a person looks on."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
_QUIET_SECONDS = 2.0


def shown(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The same items. On a terminal, after two seconds, a line says how many of ``total`` are done."""
    started, is_shown = time.monotonic(), False
    for done, item in enumerate(items):
        if sys.stderr.isatty() and time.monotonic() - started > _QUIET_SECONDS:
            sys.stderr.write(f"\r{what}: {done:,} of {total:,}")
            sys.stderr.flush()
            is_shown = True
        yield item
    if is_shown:
        sys.stderr.write(f"\r{what}: {total:,} of {total:,}\n")
