"""The command line options that name a track and a task of a site."""

import argparse
import re

from trackside.errors import InputError


def add_track(parser: argparse.ArgumentParser) -> None:
    """Declare --track."""
    parser.add_argument(
        "--track", required=True, metavar="TRACK", help="the track, as in the address of its page"
    )


def track_path(name: str) -> str:
    """The track's path, for the API and its page. Raises InputError."""
    if not re.fullmatch(r"[\w-]+", name, re.ASCII):
        raise InputError(f"'{name}': name the track as in atomic-2026; trackside status lists them.")
    return f"/tracks/{name}"


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
