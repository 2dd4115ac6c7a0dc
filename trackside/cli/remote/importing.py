"""`trackside import`: upload topics, documents, runs or qrels, print the verdict, and add them."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trackside.cli.remote.client import RemoteSite
from trackside.cli.remote.login import signed_in_site
from trackside.cli.remote.tasks import PATIENCE, add_task, task_path, wait_for
from trackside.errors import InputError
from trackside.text.roles import ROLES

EXAMPLE = "trackside import topics topics.jsonl --task atomic-2026/suggestion"
DONE, REFUSED = 0, 1
ITEMS = ("topics", "documents")
KINDS_OF = {
    "draft": ("topics",),
    "columns": ITEMS,
    "id": ITEMS,
    "text": ITEMS,
    "picture": ITEMS,
    "stratum": ("topics",),
    "leave_out": ITEMS,
    "team": ("runs",),
    "name": ("qrels", "corpus"),
    "graded_by": ("qrels",),
    "source": ("qrels",),
    "role": ITEMS,
}
WORKING = ("received", "trying", "confirmed", "adding")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add(
        "kind",
        choices=(*ITEMS, "docnos", "corpus", "runs", "qrels"),
        help="what the file holds; runs: of baselines",
    )
    add(
        "file",
        metavar="FILE",
        help="JSON, CSV, TSV, XML, TREC's <top>, Parquet, a zip of images and captions or of runs, or qrels",
    )
    add_task(parser)
    add("--draft", action="store_true", help="new topics are drafts, which do not count yet")
    add("--columns", default="", metavar="NAMES", help="the columns of a CSV or TSV file without a header")
    add("--id", default="", metavar="FIELD", help="the field that names each record")
    add("--text", action="append", default=[], metavar="FIELD", help="a text; repeat it in reading order")
    add("--picture", default="", metavar="FIELD", help="the field that names each record's picture")
    add("--stratum", default="", metavar="FIELD", help="the field with each topic's stratum")
    add("--note", default="", metavar="FIELD", help="the field with a note to organizers on each topic")
    add("--rows", default="", metavar="FIELD", help="a list of objects, each of which is a record: turns")
    add("--leave-out", action="append", default=[], metavar="FIELD", help="a field that nobody shall see")
    add("--team", default="", metavar="NAME", help="the team of baseline runs")
    add(
        "--name",
        default="",
        help="the name of the qrels (a known one gets its next version) or of the corpus",
    )
    add("--graded-by", choices=("human", "second"), default="", help="second: by the second assessors")
    add("--source", default="", metavar="TEXT", help="where the grades come from")
    roles = f"the text that is {', '.join(ROLES)}; repeat it for each"
    add("--role", action="append", default=[], metavar="ROLE=FIELD", help=roles)
    add("--check", action="store_true", help="print the verdict, and add nothing")
    add("--skip-faulty", action="store_true", help="leave out faulty records and add the others")
    add("--format", choices=("text", "json"), default="text", help="format of the verdict (text)")


def run(arguments: argparse.Namespace) -> int:
    """Print the verdict; return 0 if the records are added, or with --check have no fault, else 1."""
    path, task = Path(arguments.file), task_path(arguments.task)
    fields = _fields(arguments)
    _refuse_missing(path)
    site = signed_in_site()
    size, most = path.stat().st_size, site.read(task)["max_import_bytes"]
    if size > most:
        raise InputError(f"{path}: {size:,} bytes; the site accepts at most {most:,}. Split it.")
    uploaded = site.send(f"{task}/imports/{arguments.kind}", list(fields.items()), path)
    sys.stderr.write(f"Import {uploaded['id']} is uploaded: {site.address}{uploaded['page']}\n")
    job = _ended(site, task, uploaded)
    is_wanted = not _asked(job) and (arguments.skip_faulty or not job["faults"])
    if job["state"] == "tried" and is_wanted and not arguments.check:
        job = _ended(site, task, site.ask(f"{task}/imports/{job['id']}/confirm"))
    if arguments.format == "json":
        sys.stdout.write(json.dumps(job, ensure_ascii=False, indent=1) + "\n")
    else:
        from trackside.text.shown import visible_line

        sys.stdout.writelines(f"{visible_line(line)}\n" for line in _lines(job, path.name))
    return DONE if is_wanted and job["state"] != "failed" else REFUSED


def _fields(arguments: argparse.Namespace) -> dict[str, str]:
    """The form fields beside the file. Raises InputError."""
    for option, kinds in KINDS_OF.items():
        if getattr(arguments, option) and arguments.kind not in kinds:
            name = option.replace("_", "-")
            raise InputError(f"--{name} is not for {arguments.kind}, but for {' and '.join(kinds)}.")
    choice = {
        "id": arguments.id,
        "texts": arguments.text,
        "picture": arguments.picture,
        "stratum": arguments.stratum,
        "note": arguments.note,
        "rows": arguments.rows,
        "left_out": arguments.leave_out,
    }
    if arguments.role:
        choice["roles"] = dict(map(_role, arguments.role))
    fields = {
        "columns": arguments.columns,
        "state": "draft" if arguments.draft else "",
        "fields": json.dumps(choice) if any(choice.values()) else "",
        **{name: getattr(arguments, name) for name in ("team", "name", "graded_by", "source")},
    }
    return {name: value for name, value in fields.items() if value}


def _role(text: str) -> tuple[str, str]:
    role, is_given, name = text.partition("=")
    if role not in ROLES or not is_given:
        raise InputError(f"--role {text}: write one of {', '.join(ROLES)}, =, and the name of the field.")
    return role, name


def _refuse_missing(path: Path) -> None:
    if not path.is_file():
        raise InputError(f"{path}: no such file. Check the path.")
    if path.stat().st_size == 0:
        raise InputError(f"{path}: the file is empty. Check the path.")


def _ended(site: RemoteSite, task: str, job: dict[str, Any]) -> dict[str, Any]:
    """Wait until the import is tried, done or failed. Raises InputError."""
    from trackside.cli.progress import ProgressLine

    line, page = ProgressLine(), f"Its page: {site.address}{job['page']}"

    def read() -> dict[str, Any]:
        seen: dict[str, Any] = site.read(f"{task}/imports/{job['id']}")
        if seen["is_parked"]:
            raise InputError(f"import {job['id']}: {seen['error']} Try it again there. {page}")
        line.show(f"{seen['seen_count']:,} records {'added' if seen['counts'] else 'checked'}")
        return seen

    ended = wait_for(read, lambda seen: seen["state"] in WORKING)
    if ended["state"] in WORKING:
        raise InputError(
            f"import {job['id']} is uploaded, but no worker has made progress for {PATIENCE} seconds. "
            f"Look later, and add the records there. {page}"
        )
    line.end(f"{ended['seen_count']:,} records")
    return ended


def _asked(job: dict[str, Any]) -> list[str]:
    """The fields that nobody has decided about, because their names are not known."""
    return [field["name"] for field in job["fields"] if field.get("is_asked")]


def _lines(job: dict[str, Any], name: str) -> Iterator[str]:
    yield _head(job, name)
    for fault in job["faults"]:
        yield ""
        fate = "left out" if fault["is_refused"] else "the rest of each imported"
        yield f"{fault['title']} ({fault['count']:,} record{'s' * (fault['count'] != 1)}, {fate})"
        yield from (f"  {example['place']}  {example['value']}".rstrip() for example in fault["examples"])
        yield f"  To fix: {fault['cure']}"
    yield ""
    if names := _asked(job):
        yield f"  Not known    {', '.join(names)}: name each by --text or --leave-out"
    if names := [field["name"] for field in job["fields"] if field["use"] == "left out"]:
        yield f"  Left out     {', '.join(names)}"
    if job["error"]:
        yield f"  {job['error']}"
    elif counts := job["counts"]:
        is_done = job["state"] == "done"
        for title, count in (
            ("Added" if is_done else "To add", counts["added"]),
            ("Changed" if is_done else "To change", counts["changed"]),
            ("Unchanged", counts["same"]),
            ("Refused", counts["refused"]),
        ):
            yield f"  {title:<12} {count:,}"


def _head(job: dict[str, Any], name: str) -> str:
    kinds = len(job["faults"])
    faults = f"{kinds} kind{'s' * (kinds != 1)} of fault"
    if job["state"] == "done":
        return f"Imported: {name}" + (f", with {faults}" if kinds else "")
    if job["state"] == "failed":
        return f"Not imported: {name}. Nothing is stored."
    if asked := len(_asked(job)):
        fields = f"{asked} field{'s' * (asked != 1)} to decide about"
        return f"Not imported: {name}, {fields}{f' and {faults}' if kinds else ''}. Nothing is stored."
    if kinds:
        return f"Not imported: {name}, {faults} to fix. Nothing is stored."
    return f"Can be imported: {name}. Nothing is stored yet."
