"""`trackside check`: the check at upload, on your own machine."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

EXAMPLE = "trackside check kestrel_clip.run.gz --topics topics.jsonl --docnos docnos.txt"
ACCEPTED, REJECTED = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "run", metavar="RUN", help="run file, plain, .gz, .zst or .bz2; - reads standard input"
    )
    parser.add_argument(
        "--topics",
        required=True,
        metavar="FILE",
        help="topics of the task: JSON lines with an id, or one topic a line (its first column), or qrels",
    )
    parser.add_argument("--docnos", metavar="FILE", help="docnos of the collection, one a line")
    parser.add_argument("--tag", help="the tag you will declare with the upload")
    parser.add_argument("--max-per-topic", type=int, default=1000, metavar="N", help="results a topic (1000)")
    parser.add_argument("--tag-max", type=int, default=50, metavar="N", help="characters in a tag (50)")
    parser.add_argument(
        "--max-bytes", type=int, default=4_000_000_000, metavar="N", help="bytes unpacked (4,000,000,000)"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="form of the report (text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; 0 when the run is accepted, 1 when it is not."""
    # Loaded here, so that the help is there at once.
    from evaluation.cli.progress import watched
    from evaluation.core.run_checks import DocnoFile, check_run, verdict_text
    from evaluation.core.trec_files.streams import name_of, refuse_missing
    from evaluation.core.trec_files.topic_lists import read_topics

    refuse_missing(arguments.run)
    known = DocnoFile(arguments.docnos) if arguments.docnos else None
    topics = read_topics(arguments.topics)
    with watched(arguments.run) as source:
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
