"""`trackside fuse`: one run made of several."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from evaluation.cli.numbers import whole

if TYPE_CHECKING:
    import argparse

EXAMPLE = "trackside fuse --method wsum --tune nDCG@10 --qrels validation.qrels bm25.run clip.run > both.run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files, plain, .gz, .zst or .bz2")
    add(
        "--method",
        choices=("rrf", "wsum", "combsum", "combmnz"),
        default="rrf",
        help="reciprocal ranks, weighted sum, CombSUM or CombMNZ (rrf)",
    )
    add("--k", type=whole(0), default=60, metavar="N", help="constant of rrf (60)")
    add("--weights", metavar="W,W,…", help="weight of each run for wsum, in the order of the runs")
    add(
        "--norm",
        choices=("min-max", "none"),
        default="min-max",
        help="scores before they are added (min-max)",
    )
    add("--tune", metavar="MEASURE", help="find the weights of wsum with the best value of this measure")
    add("--qrels", metavar="FILE", help="validation qrels for --tune: other topics than those of the result")
    add("--step", type=float, default=0.1, metavar="X", help="step of the weights that --tune tries (0.1)")
    add("--tag", default="fused", help="tag of the new run (fused)")
    add("--depth", type=whole(1), default=1000, metavar="N", help="results of each topic (1000)")


def run(arguments: argparse.Namespace) -> int:
    """Writes the fused run to standard output; tuned weights go to standard error."""
    from evaluation.cli.fusing import fused_lines  # numpy and polars are not needed to show the help

    for line in fused_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
