"""`trackside fuse`: combine several runs into one."""

import argparse
import sys

from trackside.cli.commands import whole

# Those of ranx that need no parameters and no training; trackside.fuse takes the others, too.
RANX_METHODS = (
    "anz", "bordafuse", "condorcet", "gmnz", "isr", "log_isr", "logn_isr", "max", "med", "min", "mnz", "sum",
)  # fmt: skip
EXAMPLE = "trackside fuse --method wsum --tune nDCG@10 --qrels validation.qrels bm25.run clip.run > both.run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files, plain, .gz, .zst or .bz2")
    add(
        "--method",
        choices=("rrf", "wsum", "combsum", "combmnz", *(f"ranx:{name}" for name in RANX_METHODS)),
        default="rrf",
        help="reciprocal ranks, weighted sum, CombSUM, CombMNZ, or a method of ranx (trackside[ranx]) (rrf)",
    )
    add("--k", type=whole(0), default=60, metavar="N", help="constant of rrf (60)")
    add("--weights", metavar="W,W,…", help="weight of each run for wsum, in the order of the runs")
    add(
        "--norm",
        choices=("min-max", "none"),
        default="min-max",
        help="normalisation of scores (min-max)",
    )
    add(
        "--tune",
        metavar="MEASURE",
        help="choose the weights of wsum, or the k of rrf, that maximise this measure",
    )
    add("--qrels", metavar="FILE", help="validation qrels for --tune, on other topics than the result's")
    add("--step", type=float, default=0.1, metavar="X", help="step of the weights that --tune tries (0.1)")
    add("--tag", default="fused", help="tag of the new run (fused)")
    add("--depth", type=whole(1), default=1000, metavar="N", help="results per topic (1000)")


def run(arguments: argparse.Namespace) -> int:
    """Write the fused run to standard output and tuned weights to standard error."""
    from trackside.cli.files.fusing import fused_lines  # --help needs no numpy and polars

    sys.stdout.writelines(f"{line}\n" for line in fused_lines(arguments))
    return 0
