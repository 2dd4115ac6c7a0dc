"""`trackside report`: how far other qrels can stand in for people's, from a bundle or from plain files."""

from __future__ import annotations

import argparse
import sys

from evaluation.cli.numbers import whole

EXAMPLE = "trackside report --runs *.run --reference people.qrels --qrels clip=clip.qrels --out report"
FORMATS = ("text", "csv", "json", "tex")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    add = parser.add_argument
    add("bundle", nargs="?", metavar="BUNDLE", help="a zip with everything; else name --runs and qrels")
    add("--runs", nargs="+", default=[], metavar="[NAME=]RUN", help="run files, packed or not")
    add("--reference", metavar="[NAME=]FILE", help="qrels to compare with, people's")
    add(
        "--people",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="qrels of second assessors, the yardstick for judges; may be repeated",
    )
    add(
        "--qrels",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="qrels of a judge; may be repeated",
    )
    add(
        "--raw-scores",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a judge's raw scores: topic, docno and score, tabs between, under a header",
    )
    add(
        "--about",
        metavar="FILE",
        help="CSV with the header tag,team,families,backbone,type,pool_depth, of which only tag is a must; "
        "several families with ; between; without a pool depth it is inferred",
    )
    add("--topics", metavar="FILE", help="judge these topics only, one a line (those of the qrels)")
    add(
        "--strata",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a division of the topics: topic and stratum a line",
    )
    add(
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="may be repeated (nDCG@10 and AP at each level)",
    )
    add("--level", type=whole(1), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--scale", metavar="GRADES", help="grades that could be given, such as 0,1,2 (those in the qrels)")
    add("--seed", type=whole(0), metavar="N", help="of resamples and shuffles (20240728)")
    add("--resamples", type=whole(10), metavar="N", help="of topics and of runs for intervals (2,000)")
    add("--section", action="append", default=[], metavar="NAME", help="print these only, such as bias")
    add("--format", choices=FORMATS, help="form of the tables that are printed (text)")
    add("--pdf", action="store_true", help="with --out: each figure as PDF too (trackside[pdf])")
    add("--out", metavar="FOLDER", help="write every table as CSV, JSON and LaTeX and every figure as SVG")


def run(arguments: argparse.Namespace) -> int:
    """Prints the tables, or writes the files."""
    from evaluation.cli.reporting import report_output  # numpy and polars are not needed to show the help

    for line in report_output(arguments):
        sys.stdout.write(line + "\n")
    return 0
