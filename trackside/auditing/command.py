"""`trackside audit`: faults of topics, documents, pictures, qrels, runs and splits before they are used."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trackside.errors import InputError

if TYPE_CHECKING:
    from trackside.auditing.findings import Findings  # help needs no numpy

EXAMPLE = "trackside audit --topics topics.jsonl --documents images/ --qrels people.qrels --runs *.run"
SOUND, FAULTY = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add(
        "--topics", nargs="+", default=[], metavar="FILE", help="topics: any file, zip or folder of an import"
    )
    add("--documents", nargs="+", default=[], metavar="FILE", help="documents, with their pictures")
    add("--qrels", nargs="+", default=[], metavar="[NAME=]FILE", help="qrels")
    add("--runs", nargs="+", default=[], metavar="[NAME=]RUN", help="run files, packed or not")
    add("--splits", nargs="+", default=[], metavar="[NAME=]FILE", help="qrels of train, dev and test")
    add("--format", choices=("text", "json"), default="text", help="format of the findings (text)")


def run(arguments: argparse.Namespace) -> int:
    """Print what is found; return 0 if nothing is, else 1."""
    from trackside.auditing.audit import audit  # --help needs no numpy and polars
    from trackside.cli.files.inputs import read_qrels, read_runs

    if not any((arguments.topics, arguments.documents, arguments.qrels, arguments.runs, arguments.splits)):
        raise InputError("name what to look at: --topics, --documents, --qrels, --runs or --splits.")
    findings = audit(
        topics=arguments.topics,
        documents=arguments.documents,
        qrels=read_qrels(arguments.qrels),
        runs=read_runs(arguments.runs),
        splits=read_qrels(arguments.splits),
    )
    if arguments.format == "json":
        sys.stdout.write(json.dumps(findings.to_json(), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(findings))
    return FAULTY if findings.counts else SOUND


def _lines(findings: "Findings") -> Iterator[str]:
    from trackside.text.shown import visible_line

    if not findings.counts:
        yield "Nothing found."
    for found in findings.to_json():
        yield f"{found['title']}: {found['count']:,}. {found['cure']}"
        yield from (f"    {visible_line(example)}" for example in found["examples"])
