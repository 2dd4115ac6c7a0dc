"""`trackside compare`: significance tests between runs."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = "trackside compare --qrels human.qrels --measure nDCG@10 --test tukey runs/*.gz"
TESTS = ("t", "wilcoxon", "sign", "randomisation", "tukey", "randomised-tukey")
METHODS = ("holm", "bonferroni", "BH", "BY", "none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files, plain, .gz, .zst or .bz2")
    add("--qrels", required=True, metavar="FILE", help="grades: topic iteration docno grade")
    add("--measure", default="nDCG@10", metavar="NAME", help="measure, such as AP(rel=2) or RR@10 (nDCG@10)")
    add("--level", type=whole(0), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--test", choices=TESTS, default="t", help="paired by topic; tukey is two-way (t)")
    add("--correct", choices=METHODS, default="holm", help="correction over pairs; not used by tukey (holm)")
    add("--alpha", type=float, default=0.05, metavar="P", help="significant up to this adjusted p (0.05)")
    add("--baseline", metavar="TAG", help="compare with this run only")
    add("--seed", type=whole(0), default=0, metavar="N", help="seed of randomisation (0)")
    add(
        "--format",
        choices=("table", "json", "tsv", "latex"),
        default="table",
        help="format of the output (table)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the runs with the letters of the significantly worse ones, then the pairs."""
    from trackside.cli.files.comparing import comparison_lines  # --help needs no numpy and polars

    for line in comparison_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
