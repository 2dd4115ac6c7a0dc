"""`trackside report`: how far other qrels can replace people's, from a bundle or from plain files."""

import argparse
import os
import sys
from functools import partial

from trackside.cli.commands import whole

EXAMPLE = "trackside report --runs *.run --reference people.qrels --qrels clip=clip.qrels --out report"
FORMATS = ("csv", "json", "tex")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    _add_inputs(parser)
    _add_choices(parser)
    _add_output(parser)


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    several = partial(add, action="append", default=[])
    add("bundle", nargs="?", metavar="BUNDLE", help="zip with all inputs; without it, give --runs and qrels")
    add("--runs", nargs="+", default=[], metavar="[NAME=]RUN", help="run files, packed or not")
    add("--reference", metavar="[NAME=]FILE", help="people's qrels, the reference")
    several(
        "--people",
        metavar="[NAME=]FILE",
        help="qrels of second assessors, the yardstick of the judges; may be repeated",
    )
    several(
        "--qrels",
        metavar="[NAME=]FILE",
        help="qrels of a judge; may be repeated",
    )
    several(
        "--raw-scores",
        metavar="NAME=FILE",
        help="a judge's raw scores: header line, then topic, docno and score separated by tabs",
    )
    add(
        "--about",
        metavar="FILE",
        help="CSV with the header tag,team,families,backbone,type,pool_depth; only tag is required; "
        "semicolons separate families; a missing pool depth is inferred",
    )


def _add_choices(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    several = partial(add, action="append", default=[])
    add("--topics", metavar="FILE", help="use only these topics, one per line (those of the qrels)")
    several(
        "--strata",
        metavar="NAME=FILE",
        help="a partition of the topics: topic and stratum per line",
    )
    several(
        "--pair-strata",
        metavar="NAME=FILE",
        help="a partition of the pairs, such as by difficulty: topic, docno and stratum per line",
    )
    several(
        "--measure",
        metavar="NAME",
        help="may be repeated (nDCG@10 and AP at each level)",
    )
    add("--level", type=whole(1), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--scale", metavar="GRADES", help="possible grades, such as 0,1,2 (up to people's highest)")
    add(
        "--clip",
        action="store_true",
        default=None,
        help="with --scale: clip grades outside the scale to its nearest end",
    )
    several(
        "--margin",
        metavar="NAME=VALUE",
        help="a margin: order (0.8), best (0.05), points (5), rate (0.5), tau (0.1), second_rate "
        "(0.1) or kappa (0.05); may be repeated",
    )
    add("--seed", type=whole(0), metavar="N", help="seed of resamples and shuffles (20240728)")
    add("--resamples", type=whole(10), metavar="N", help="resamples of topics and runs for intervals (2,000)")


def _add_output(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--family", metavar="NAME", help="show only rows of this family in sections (all)")
    add("--all", action="store_true", default=None, help="print all sections with their tables")
    add("--section", action="append", default=[], metavar="NAME", help="print only these sections")
    add("--format", choices=FORMATS, help="print the tables in this format, or write them with --out")
    add("--pdf", action="store_true", help="with --out: also write each figure as PDF (trackside[pdf])")
    add("--out", metavar="FOLDER", help="write tables as CSV, figures as SVG, texts and findings.json")


def run(arguments: argparse.Namespace) -> int:
    """Print the first page, write the files, or print tables."""
    # numpy starts the threads of its linear algebra on import; for matrices this small they only wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from trackside.cli.files.reporting import report_output  # --help needs no numpy and polars

    for line in report_output(arguments):
        sys.stdout.write(line + "\n")
    return 0
