"""What commands on a task of a site share: the options that name it, and waiting for a worker."""

import argparse
import re
import time
from collections.abc import Callable
from typing import Any

from trackside.errors import InputError


def add_task(parser: argparse.ArgumentParser, *, is_required: bool = True) -> None:
    """Declare --task."""
    parser.add_argument(
        "--task", required=is_required, metavar="TRACK/TASK", help="the task, as in the address of its page"
    )


def task_path(name: str) -> str:
    """The task's path, for the API and its page. Raises InputError."""
    match = re.fullmatch(r"([\w-]+)/([\w-]+)", name, re.ASCII)
    if not match:
        raise InputError(
            f"'{name}': name track and task as in atomic-2026/suggestion; trackside status lists them."
        )
    return f"/tracks/{match[1]}/tasks/{match[2]}"


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
