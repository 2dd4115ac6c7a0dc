"""`trackside status`: the tasks of a site, the runs of a task, or the verdict on a run."""

import argparse
import json
import sys
from typing import Any

from trackside.cli.commands import whole
from trackside.cli.files.tables import padded
from trackside.cli.remote.client import RemoteSite
from trackside.cli.remote.login import signed_in_site
from trackside.cli.remote.tasks import add_task, task_path
from trackside.errors import InputError

EXAMPLE = "trackside status --task atomic-2026/suggestion 12"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "run", nargs="?", type=whole(1), metavar="RUN", help="number of a run: show its verdict"
    )
    add_task(parser, is_required=False)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="format of the output (text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the tasks, the runs or the verdict; for a run, return 0 if it is accepted, 1 if rejected."""
    if arguments.run and not arguments.task:
        raise InputError("name the task of the run: --task TRACK/TASK.")
    site = signed_in_site()
    if arguments.run:
        return _show_run(site, task_path(arguments.task), arguments.run, arguments.format)
    rows = _runs(site, task_path(arguments.task)) if arguments.task else _tasks(site)
    if arguments.format == "json":
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _aligned(rows))
    return 0


def _tasks(site: RemoteSite) -> list[dict[str, Any]]:
    return [
        {"task": f"{task['track']}/{task['slug']}", "phase": task["phase"], "closes": task["closes_at"] or ""}
        for track in site.read_list("/tracks")
        for task in site.read_list(f"/tracks/{track['slug']}/tasks")
    ]


def _runs(site: RemoteSite, task: str) -> list[dict[str, Any]]:
    return [
        {"run": run["id"], "tag": run["tag"], "team": run["team"], "state": run["state"]}
        for run in site.read_list(f"{task}/runs")
    ]


def _aligned(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return ["Nothing yet."]
    return list(padded([[*rows[0]], *([str(value) for value in row.values()] for row in rows)]))


def _show_run(site: RemoteSite, task: str, number: int, form: str) -> int:
    from trackside.cli.remote.submit import show_verdict

    run = site.read(f"{task}/runs/{number}")
    upload = run["upload"] or {}
    verdict = site.read(f"{task}/runs/{number}/verdict") | {"state": run["state"]}
    return show_verdict(verdict, upload.get("file_name", run["tag"]), form)
