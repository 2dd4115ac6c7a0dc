"""`trackside download`: topics, documents, run files, qrels, values or the report's bundle of a task."""

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO

from trackside.cli.remote.client import RemoteSite, SiteRefused
from trackside.cli.remote.login import signed_in_site
from trackside.cli.remote.tasks import add_task, task_path
from trackside.errors import InputError
from trackside.text.csv_cells import csv_parts

Written = Callable[[IO[bytes]], None]

EXAMPLE = "trackside download qrels --task atomic-2026/suggestion --out qrels"
SCORE_COLUMNS = ("run", "tag", "team", "qrels", "measure", "topic", "value")
ALL = "all"  # the topic name of means, as in trec_eval
# Types of the problems of a bundle.
NOT_PACKED, BEING_PACKED = "urn:trackside:bundle-not-packed", "urn:trackside:bundle-being-packed"
PAUSE, MOST_WAITS = 10.0, 60  # seconds between requests for a zip that is being packed: ten minutes in all


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("what", choices=tuple(FILES), help="what to download")
    add_task(parser)
    parser.add_argument("--out", default=".", metavar="FOLDER", help="folder for the files (here)")


def run(arguments: argparse.Namespace) -> int:
    """Write the files and print their names."""
    site, task = signed_in_site(), task_path(arguments.task)
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    names = [_written(folder, name, write) for name, write in FILES[arguments.what](site, task)]
    if not names:
        raise InputError(
            f"{arguments.task}: no {arguments.what} that you may download. Before the release, values and "
            "qrels are for organizers only; trackside status shows the phase."
        )
    sys.stdout.writelines(f"{name}\n" for name in names)
    return 0


def _written(folder: Path, name: str, write: Written) -> Path:
    """Write the file atomically and return its path. A name from the site must not leave the folder."""
    path = folder / (re.sub(r"[^\w.+-]", "_", name).lstrip(".") or "file")
    if path.exists():
        raise InputError(f"{path} exists. Remove it, or name another folder with --out.")
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as target:
            write(target)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _topics(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    topics = list(site.read_list(f"{task}/topics"))

    def write(target: IO[bytes]) -> None:
        for topic in topics:
            line = {"id": topic["topic"], **dict(topic["fields"])}
            target.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")

    yield "topics.jsonl", write
    if any(topic["image"] for topic in topics):
        yield "topics.zip", _fetching(site, f"{task}/topics/zip")


def _docnos(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    yield "docnos.txt", _fetching(site, f"{task}/documents/docnos")


def _documents(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    offered = site.read(f"{task}/documents")
    if not offered["is_shared"]:
        raise InputError(
            f"the documents of {offered['collection']} are "
            + (
                f"at {offered['address']}."
                if offered["address"]
                else "not shared. Ask the organizers for them."
            )
        )
    yield "documents.jsonl", _fetching(site, f"{task}/documents/texts")
    for part in range(1, offered["zip_count"] + 1):
        yield f"documents-{part}.zip", _fetching(site, f"{task}/documents/zips/{part}")


def _runs(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    for run in site.read_list(f"{task}/runs", state="accepted"):
        if run["file"]:
            yield f"{run['id']}-{run['file']}", _fetching(site, f"{task}/runs/{run['id']}/file")


def _qrels(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    for qrels in site.read_list(f"{task}/qrels"):
        path = f"{task}/qrels/{qrels['id']}/file"
        yield f"{qrels['name']}-{qrels['version']}.qrels", _fetching(site, path)


def _scores(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    values = list(site.read_list(f"{task}/scores", per_topic="true"))

    def write(target: IO[bytes]) -> None:
        named = (([record[name] for name in SCORE_COLUMNS[:5]], record) for record in values)
        rows = (
            [*names, topic, value]
            for names, record in named
            for topic, value in (*record["topics"].items(), (ALL, record["mean"]))
        )
        target.writelines(part.encode() for part in csv_parts(chain([SCORE_COLUMNS], rows)))

    if values:
        yield "scores.csv", write


def _bundle(site: RemoteSite, task: str) -> Iterator[tuple[str, Written]]:
    path = f"{task}/report/bundle"
    yield f"{'-'.join(task.split('/')[2::2])}-report.zip", lambda target: _fetch_packed(site, path, target)


def _fetch_packed(site: RemoteSite, path: str, target: IO[bytes]) -> None:
    """Write the zip. If the site keeps none, ask for it and wait until a worker has packed it."""
    is_asked, wait_count = False, 0
    while True:
        try:
            site.fetch(path, target)
        except SiteRefused as error:
            if error.kind == NOT_PACKED and not is_asked:
                site.ask(path)
                is_asked = True
            elif error.kind == BEING_PACKED and wait_count < MOST_WAITS:
                sys.stderr.write(f"{site.address}: the site packs the zip; again in {PAUSE:g} s\n")
                time.sleep(PAUSE)
                wait_count += 1
            else:
                raise
        else:
            return


def _fetching(site: RemoteSite, path: str) -> Written:
    return lambda target: site.fetch(path, target)


FILES = {
    "topics": _topics,
    "docnos": _docnos,
    "documents": _documents,
    "runs": _runs,
    "qrels": _qrels,
    "scores": _scores,
    "bundle": _bundle,
}
