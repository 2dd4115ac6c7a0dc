"""The command line option that names a task of a site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evaluation.core.errors import InputError

if TYPE_CHECKING:
    import argparse


class NoTask(InputError):
    """The argument is not TRACK/TASK."""


def add_task(parser: argparse.ArgumentParser, *, is_required: bool = True) -> None:
    """Declare --task."""
    parser.add_argument(
        "--task", required=is_required, metavar="TRACK/TASK", help="the task, as in the address of its page"
    )


def task_path(name: str) -> str:
    """The task's path, for the API and its page. Raises NoTask."""
    found = re.fullmatch(r"([\w-]+)/([\w-]+)", name, re.ASCII)
    if not found:
        raise NoTask(
            f"'{name}': name track and task as in atomic-2026/suggestion; trackside status lists them."
        )
    return f"/tracks/{found[1]}/tasks/{found[2]}"
