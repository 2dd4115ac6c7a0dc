"""`trackside check`: the upload check, on your own machine."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trackside.cli.commands import whole

if TYPE_CHECKING:
    from trackside.checks import DocnoFile  # help needs no polars

EXAMPLE = "trackside check kestrel_clip.run.gz --topics topics.jsonl --docnos docnos.txt"
ACCEPTED, REJECTED = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "run", metavar="RUN", help="run file, plain, .gz, .zst or .bz2; - reads standard input"
    )
    parser.add_argument(
        "--topics",
        required=True,
        metavar="FILE",
        help="topics of the task: any file that imports read, a list (first columns), or qrels",
    )
    parser.add_argument(
        "--docnos", metavar="FILE", help="docnos of the collection: any file that imports read, or a list"
    )
    parser.add_argument("--tag", help="the tag you will declare with the upload")
    parser.add_argument(
        "--max-per-topic", type=whole(1), default=1000, metavar="N", help="results per topic (1000)"
    )
    parser.add_argument("--tag-max", type=whole(1), default=50, metavar="N", help="characters in a tag (50)")
    parser.add_argument(
        "--max-bytes",
        type=whole(1),
        default=4_000_000_000,
        metavar="N",
        help="bytes unpacked (4,000,000,000)",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="format of the report (text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the report; return 0 if the run is accepted, else 1."""
    # Imported here, so that the help appears at once.
    from trackside.checks import check_run, verdict_text
    from trackside.cli.progress import open_with_progress
    from trackside.files.streams import name_of, refuse_missing
    from trackside.imports.readers import read_topics

    refuse_missing(arguments.run)
    topics = read_topics(arguments.topics)
    with open_with_progress(arguments.run) as source, _collection_docnos(arguments.docnos) as known:
        verdict = check_run(
            source,
            topics=topics,
            docnos=known,
            near=known.near if known else None,
            tag=arguments.tag,
            max_per_topic=arguments.max_per_topic,
            tag_max=arguments.tag_max,
            max_bytes=arguments.max_bytes,
        )
    if arguments.format == "json":
        sys.stdout.write(json.dumps(verdict.to_json(), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(verdict_text(verdict, name_of(arguments.run)))
    return ACCEPTED if verdict.is_accepted else REJECTED


@contextmanager
def _collection_docnos(path: str | None) -> Iterator[DocnoFile | None]:
    """The docnos of the collection; shows progress while it reads millions of them."""
    from trackside.checks import DocnoFile
    from trackside.cli.progress import open_with_progress
    from trackside.imports.readers import read_docnos

    if path is None:
        yield None
        return
    if (docnos := read_docnos(path)) is not None:
        yield DocnoFile(io.BytesIO("\n".join(docnos).encode()))
        return
    with open_with_progress(path) as source:
        yield DocnoFile(source)
