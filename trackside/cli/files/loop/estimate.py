"""`trackside estimate`: what people's grades so far say of the runs of a plan, and whether to stop."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = "trackside estimate dl21 --qrels people.qrels"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="folder of the plan (trackside plan new)")
    add(
        "--qrels",
        action="append",
        default=[],
        metavar="FILE",
        help="people's grades so far: topic iteration docno grade; -1: nobody can grade it",
    )
    add("--new-run", action="append", default=[], metavar="[NAME=]RUN", help="estimate this run, too")
    add("--withdraw", action="append", default=[], metavar="TAG", help="leave this run out")
    add(
        "--calibration", action="store_true", help="print how well the calibrated chances fit people's grades"
    )
    add("--hybrid", metavar="FILE", help="write hybrid qrels: people's grades, else the calibrated chances")
    add("--format", choices=("table", "json"), default="table", help="format of the output (table)")
    add("--decimals", type=whole(0, 17), default=4, metavar="N", help="decimal places (4)")


def run(arguments: argparse.Namespace) -> int:
    """Print the estimates."""
    from trackside.cli.files.loop.estimating import estimate_lines  # --help needs no numpy and polars

    for line in estimate_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
