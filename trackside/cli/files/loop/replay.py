"""`trackside replay`: how many judgments each way of choosing pairs needs, on data that people graded."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = "trackside replay --qrels people.qrels --judge llm.qrels --budget 1500 --times 20 runs/*.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files, plain, .gz, .zst or .bz2")
    add(
        "--qrels",
        required=True,
        metavar="FILE",
        help="people's grades of (nearly) all pairs: topic 0 docno grade",
    )
    add(
        "--judge",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="scores or grades of a model: qrels, a run, or topic docno score; each is replayed by itself",
    )
    add("-m", "--measure", default="nDCG@10", metavar="NAME", help="measure (nDCG@10)")
    add("--depth", type=whole(1), metavar="K", help="results per topic that count (the cutoff, or 10)")
    add("--budget", type=whole(30), metavar="N", help="judgments of the last look (four tenths of the pairs)")
    add("--batches", type=whole(1), default=5, metavar="N", help="equal batches, with a look after each (5)")
    add("--times", type=whole(1), default=20, metavar="N", help="replays of each recipe with chances (20)")
    add(
        "--recipe",
        action="append",
        default=[],
        metavar="NAME",
        help="influence (with each judge and without), uniform, depth, mtf, maxmean, rrf, mnz, rbp; "
        "all unless named",
    )
    add("--tau", type=float, default=0.9, metavar="T", help="say how many judgments give this tau (0.9)")
    add("--top", type=whole(1), default=5, metavar="K", help="say how often the first K are in order (5)")
    add("--seed", type=whole(0), default=0, metavar="N", help="seed (0)")
    add("--json", metavar="FILE", help="write all points with their standard errors")
    add("--figures", metavar="FOLDER", help="write tau.svg and half-width.svg")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    from trackside.cli.files.loop.replaying import replay_lines  # --help needs no numpy and polars

    for line in replay_lines(arguments):
        sys.stdout.write(line + "\n")
    return 0
