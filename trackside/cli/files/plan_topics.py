"""`trackside plan-topics`: how many topics tell a difference of two runs apart."""

from __future__ import annotations

import argparse
import sys

from trackside.cli.numbers import whole

EXAMPLE = "trackside plan-topics --qrels people.qrels --difference 0.05 runs/*.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files of an earlier or a trial round")
    add("--qrels", required=True, metavar="FILE", help="grades: topic iteration docno grade")
    add("--measure", default="nDCG@10", metavar="NAME", help="measure, such as AP(rel=2) or RR@10 (nDCG@10)")
    add("--level", type=whole(0), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--difference", type=float, default=0.05, metavar="D", help="difference of means to find (0.05)")
    add("--power", type=float, default=0.8, metavar="P", help="probability of finding it (0.8)")
    add("--alpha", type=float, default=0.05, metavar="P", help="level of the two-sided paired t-test (0.05)")


def run(arguments: argparse.Namespace) -> int:
    """Print the plan."""
    from trackside.cli.files.planning import plan_lines  # --help needs no numpy and polars

    for line in plan_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
