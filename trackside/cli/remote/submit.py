"""`trackside submit`: upload a run to a site and wait for its verdict."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from trackside.cli.files.check import ACCEPTED, REJECTED
from trackside.cli.remote.client import RemoteSite
from trackside.cli.remote.login import signed_in_site
from trackside.cli.remote.tasks import add_task, task_path, wait_for
from trackside.errors import InputError

EXAMPLE = 'trackside submit kestrel.run.gz --task atomic-2026/suggestion --description "CLIP, fine-tuned"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("file", metavar="FILE", help="run file, plain, .gz, .zst or .bz2")
    add_task(parser)
    add("--team", default="", help="the run's team, if you have several")
    add("--description", default="", metavar="TEXT", help="what the system does, in a few sentences")
    add("--type", choices=("automatic", "manual"), default="", help="manual if people influenced the results")
    add("--backbone", default="", metavar="NAME", help="the model that the system builds on")
    add("--family", default="", metavar="NAME", help="the run family that you suggest")
    add("--answers", metavar="FILE", help="replies to the task's questions: a JSON object by question name")
    add("--check", action="store_true", help="check the file locally first; send it only if it is accepted")
    add("--format", choices=("text", "json"), default="text", help="format of the report (text)")


def run(arguments: argparse.Namespace) -> int:
    """Print the report of the check; return 0 if the run is accepted, else 1."""
    path = Path(arguments.file)
    fields = _fields(arguments)
    site = signed_in_site()
    task = task_path(arguments.task)
    rules = site.read(task)
    _refuse_unsendable(path, rules)
    verdict = _local_verdict(site, task, rules, path) if arguments.check else None
    if verdict is None or verdict["is_accepted"]:
        number = site.send(f"{task}/runs", list(fields.items()), path)["id"]
        sys.stderr.write(f"Run {number} is stored and being checked: {site.address}{task}/runs/{number}/\n")
        verdict = _verdict(site, task, number)
    return show_verdict(verdict, path.name, arguments.format)


def _fields(arguments: argparse.Namespace) -> dict[str, str]:
    fields = {
        "team": arguments.team,
        "description": arguments.description,
        "type": arguments.type,
        "backbone": arguments.backbone,
        "suggested_family": arguments.family,
        "replies": _replies(arguments.answers) if arguments.answers else "",
    }
    return {name: value for name, value in fields.items() if value}


def _replies(path: str) -> str:
    try:
        text = Path(path).read_text(encoding="utf-8")
        if isinstance(json.loads(text), dict):
            return text
    except (OSError, ValueError) as error:
        raise InputError(f'{path}: {error}. Write JSON, such as {{"training": "yes"}}.') from error
    raise InputError(f'{path}: not a JSON object. Write one, such as {{"training": "yes"}}.')


def _refuse_unsendable(path: Path, rules: dict[str, Any]) -> None:
    if not path.is_file():
        raise InputError(f"{path}: no such file. Check the path.")
    size, most = path.stat().st_size, rules["max_upload_bytes"]
    if size > most:
        raise InputError(
            f"{path}: {size:,} bytes; the site accepts at most {most:,}. "
            "Pack it with gzip, or list fewer results per topic."
        )


def _local_verdict(site: RemoteSite, task: str, rules: dict[str, Any], path: Path) -> dict[str, Any]:
    """The verdict of a local check, without the collection and other teams' tags."""
    from trackside.checks import check_run

    topics = {topic["topic"] for topic in site.read_list(f"{task}/topics")}
    limits = {"max_per_topic": rules["max_per_topic"], "tag_max": rules["tag_max"]}
    return check_run(str(path), topics=topics, docnos=None, near=None, **limits).to_json()


def _verdict(site: RemoteSite, task: str, number: int) -> dict[str, Any]:
    run = wait_for(lambda: site.read(f"{task}/runs/{number}"), lambda run: run["state"] == "received")
    if run["state"] == "received":
        raise InputError(
            f"run {number} is stored, and still being checked. "
            f"Ask later: trackside status --task {task.split('/')[2]}/{task.split('/')[4]} {number}."
        )
    if run["state"] == "parked":
        raise InputError(
            f"run {number} is stored, but its check ended without a verdict. Its page shows why: "
            f"{site.address}{task}/runs/{number}/. Upload it in another form, or ask the organizers."
        )
    if run["state"] == "asked":
        sys.stderr.write(
            f"Run {number} does not count yet: it looks upside down. Confirm on its page that a higher score "
            f"is better, or upload a mended file: {site.address}{task}/runs/{number}/\n"
        )
    verdict: dict[str, Any] = site.read(f"{task}/runs/{number}/verdict") | {"state": run["state"]}
    return verdict


def show_verdict(verdict: dict[str, Any], name: str, form: str) -> int:
    """Print the verdict on the file of that name like `trackside check`, and return the exit status.

    ``state`` is that of the run on a site.
    """
    state = verdict.pop("state", "")
    from trackside.checks import Verdict, verdict_text

    if form == "json":
        sys.stdout.write(json.dumps(verdict, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(verdict_text(Verdict.from_json(verdict), name))
    return ACCEPTED if verdict["is_accepted"] and state != "asked" else REJECTED
