"""Waiting for what the workers do."""

import time
from collections.abc import Callable
from typing import TypeAlias

from evaluation.config.demo.progress import Progress
from evaluation.core.errors import InputError

POLL = 0.2  # seconds
PATIENCE = 180.0  # seconds without anything done

Wait: TypeAlias = Callable[[Callable[[], tuple[int, int]], str], None]
"""Called with what counts (done, total) and what is being done; comes back once all is done."""


class NothingHappens(InputError):
    """The workers stopped getting on."""


def waiting(tell: Progress, check_site: Callable[[], None]) -> Wait:
    """Give a way to wait that tells how far it is; ``check_site`` raises when there is nobody to wait for.

    It raises NothingHappens after three minutes without progress.
    """

    def wait(count: Callable[[], tuple[int, int]], text: str) -> None:
        done, total = count()
        seen, since = done, time.monotonic()
        while done < total:
            tell(done, total, text)
            if time.monotonic() - since > PATIENCE:
                raise NothingHappens(
                    f"No progress for {PATIENCE:.0f} seconds: {text}, {done:,} of {total:,}. The site's log "
                    "says what its workers do. Run the command again to go on from here."
                )
            check_site()
            time.sleep(POLL)
            done, total = count()
            if done != seen:
                seen, since = done, time.monotonic()
                tell(done, total, text)

    return wait
