"""`trackside pool`: draw a pool of documents to judge, with its size and overlap."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = "trackside pool --depth 25 --depth best-run=30 --team best-run=North --out pool.tsv runs/*.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files, plain, .gz, .zst or .bz2")
    add(
        "--depth",
        action="append",
        default=[],
        metavar="[TAG=]K",
        help="results per topic to pool, of all runs or of the run with this tag; 0 excludes a run",
    )
    add("--team", action="append", default=[], metavar="TAG=TEAM", help="team of a run (its tag)")
    add("--out", metavar="FILE", help="write the pool here: one topic and docno per line, in display order")
    add("--seed", type=whole(0), default=0, metavar="N", help="seed of that order (0)")
    add("--format", choices=("table", "json", "tsv"), default="table", help="format of statistics (table)")


def run(arguments: argparse.Namespace) -> int:
    """Draw the pool, write it with --out, and print its statistics."""
    from trackside.cli.files.pooling import pool_lines  # --help needs no numpy and polars

    for line in pool_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
