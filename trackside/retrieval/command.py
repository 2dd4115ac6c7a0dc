"""`trackside baseline`: a run of BM25 or of an encoder, from topics and documents of plain files."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = (
    "trackside baseline --topics topics.jsonl --documents documents.jsonl --bm25 --tag bm25 > bm25.run\n"
    "  trackside baseline --topics topics.jsonl --documents images/ --clip models/clip --tag clip > clip.run"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--topics", required=True, metavar="FILE", help="topics, in any format that an import reads")
    add("--documents", required=True, metavar="FILE", help="documents or pictures: a file, zip or folder")
    way = parser.add_mutually_exclusive_group(required=True).add_argument
    way("--bm25", action="store_true", help="BM25 over the words of both sides (trackside[baselines])")
    way("--clip", metavar="PATH", help="folder or hub name of a CLIP-type model (trackside[models])")
    way("--sentences", metavar="PATH", help="folder or hub name of a sentence encoder, for two texts")
    add("--revision", default="", metavar="REVISION", help="commit of a model of the hub")
    add("--preset", default="clipscore-2021", metavar="NAME", help="with --clip: how it reads texts")
    add("--prefix", metavar="TEXT", help="with --sentences: before each text, as query:<document>passage:")
    add("--topic-fields", metavar="NAME,NAME", help="fields of topics that are read (all)")
    add("--document-fields", metavar="NAME,NAME", help="fields of documents that are read (all)")
    add("--kind", metavar="KIND", help="text-to-image, image-to-text and so on (by where the pictures are)")
    add("--depth", type=whole(1), default=1000, metavar="N", help="results per topic (1000)")
    add("--tag", default="baseline", help="tag of the run (baseline)")


def run(arguments: argparse.Namespace) -> int:
    """Write the run to standard output, and what has no result to standard error."""
    from trackside.retrieval.baseline import run_lines  # --help needs no numpy, polars and Pillow

    sys.stdout.writelines(f"{line}\n" for line in run_lines(arguments))
    return 0
