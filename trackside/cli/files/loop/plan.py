"""`trackside plan`: plan which pairs people grade, and draw them batch by batch."""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from trackside.cli.commands import whole

EXAMPLE = (
    "trackside plan new dl21 --measure nDCG@10 --highest 3 --budget 1500 --judge llm.qrels runs/*.gz\n"
    "  trackside plan next dl21\n"
    "  trackside plan next dl21 --qrels people.qrels    # people's grades so far; then trackside estimate"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add(
        "act",
        choices=("new", "next"),
        help="new writes a plan for these runs into a folder; next draws its next batch of pairs to grade",
    )
    add("folder", metavar="FOLDER", help="folder of the plan")
    add("runs", nargs="*", metavar="[NAME=]RUN", help="with new: run files, plain, .gz, .zst or .bz2")
    of_new = parser.add_argument_group("with new").add_argument
    _add_settings(of_new)
    _add_aims(of_new)
    later = parser.add_argument_group("with next").add_argument
    later(
        "--qrels",
        action="append",
        default=[],
        metavar="FILE",
        help="people's grades so far; -1: cannot be graded",
    )
    later("--withdraw", action="append", default=[], metavar="TAG", help="leave this run out from now on")
    later(
        "--unseen", action="store_true", help="a new --judge saw none of these grades: earlier batches use it"
    )
    add(
        "--judge",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="scores or grades of a model for pairs: qrels, a run, or topic docno score; may be repeated, "
        "and a pair may lack one. With next: a new version of all judges",
    )


def _add_settings(add: Callable[..., Any]) -> None:
    add(
        "-m",
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="measure (nDCG@10); the first guides",
    )
    add(
        "--depth", type=whole(1), metavar="K", help="results per topic that count (the largest cutoff, or 10)"
    )
    add(
        "--highest",
        type=whole(1, 20),
        metavar="GRADE",
        help="people's highest grade; the lowest is 0 (needed)",
    )
    add("--budget", type=whole(1), metavar="N", help="pairs that people can grade")
    add(
        "--batches",
        type=whole(1),
        default=5,
        metavar="N",
        help="equal batches of the budget (5; 5 to 10 is best)",
    )
    add("--size", type=whole(1), action="append", default=[], metavar="N", help="size of each batch instead")


def _add_aims(add: Callable[..., Any]) -> None:
    add("--half-width", type=float, metavar="W", help="stop when each run's 95 %% interval is at most +- W")
    add(
        "--top",
        type=whole(1),
        metavar="K",
        help="stop when the first K runs are in order; 1: the best is known",
    )
    add("--tau", type=float, metavar="T", help="stop when the lower end of tau's interval is at least T")
    add(
        "--recipe",
        default="influence",
        metavar="NAME",
        help="influence (default), uniform, depth, mtf, maxmean, rrf, mnz, rbp",
    )
    add(
        "--rule",
        choices=("adjudicated", "median"),
        default="adjudicated",
        help="of several assessors' grades",
    )
    add(
        "--fixed-weights",
        action="store_true",
        help="weigh batches by size alone: exactly unbiased, less precise",
    )
    add("--topics", metavar="FILE", help="topics of the plan, one a line (all of the runs)")
    add("--seed", type=whole(0), default=0, metavar="N", help="seed of the draws (0)")


def run(arguments: argparse.Namespace) -> int:
    """Write a plan or draw its next batch."""
    from trackside.cli.files.loop.planning import plan_lines  # --help needs no numpy and polars

    for line in plan_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
