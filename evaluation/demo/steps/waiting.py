"""Waits for work of the workers."""

import time
from collections.abc import Callable
from typing import TypeAlias

from evaluation.demo.progress import Progress
from trackside.errors import InputError

POLL = 0.2  # seconds
PATIENCE = 180.0  # seconds without progress

Wait: TypeAlias = Callable[[Callable[[], tuple[int, int]], str], None]
"""Called with a function that returns (done, total) and a description; returns once all is done."""


def waiting(progress: Progress, check_site: Callable[[], None]) -> Wait:
    """Return a function that waits and shows progress; ``check_site`` raises if the site has ended.

    The function raises InputError after three minutes without progress.
    """

    def wait(count: Callable[[], tuple[int, int]], text: str) -> None:
        done, total = count()
        seen, since = done, time.monotonic()
        while done < total:
            progress(done, total, text)
            if time.monotonic() - since > PATIENCE:
                raise InputError(
                    f"No progress for {PATIENCE:.0f} seconds: {text}, {done:,} of {total:,}. The site's log "
                    "shows what its workers do. Run the command again to resume."
                )
            check_site()
            time.sleep(POLL)
            done, total = count()
            if done != seen:
                seen, since = done, time.monotonic()
                progress(done, total, text)

    return wait
