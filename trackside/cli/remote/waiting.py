"""Wait until a site's worker has ended what a command started."""

import time
from collections.abc import Callable
from typing import Any

PAUSES = (0.2, 0.5, 1.0)  # seconds between requests; the last one repeats
PATIENCE = 600  # seconds without a change


def wait_for(
    read: Callable[[], dict[str, Any]], is_pending: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Read an answer until it is not pending any more, or has not changed for PATIENCE seconds."""
    answer, pauses, moved_at = read(), iter(PAUSES), time.monotonic()
    while is_pending(answer) and time.monotonic() - moved_at <= PATIENCE:
        time.sleep(next(pauses, PAUSES[-1]))
        earlier, answer = answer, read()
        moved_at = moved_at if answer == earlier else time.monotonic()
    return answer
