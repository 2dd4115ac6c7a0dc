"""`trackside correlate`: tau-b, tau_AP and RBO of two rankings."""

import argparse
import sys
import warnings
from typing import TYPE_CHECKING

from trackside.cli.commands import whole
from trackside.cli.files.tables import aligned, tabbed
from trackside.errors import InputError

if TYPE_CHECKING:
    from trackside.files.leaderboards import Leaderboard
    from trackside.library.correlating import Correlation

EXAMPLE = "trackside correlate --qrels people.qrels --qrels clip.qrels --measure nDCG@10 runs/*.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="*", metavar="[NAME=]RUN", help="two run files; with --qrels the runs to rank")
    add(
        "--qrels",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="given twice: correlate the orders of the runs under both, instead of documents by topic",
    )
    add(
        "--leaderboard",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="given twice: correlate the orders of the runs in both, people's first: trec_eval's output, "
        "TREC AutoJudge's files, or a table with run, measure, topic and value; or a folder, a file a run",
    )
    add(
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="what ranks the runs (nDCG@10; all of leaderboards)",
    )
    add("--level", type=whole(0), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--p", type=float, default=0.9, metavar="P", help="persistence of RBO, between 0 and 1 (0.9)")
    add("--format", choices=("table", "tsv"), default="table", help="format of the output (table)")


def run(arguments: argparse.Namespace) -> int:
    """Print one row per topic or measure, and the means."""
    from trackside.text.shown import short  # --help needs no numpy and polars

    result = _of_leaderboards(arguments) if arguments.leaderboard else _of_runs(arguments)
    header, *rows = [[*result.to_frame().columns], *([*map(short, row)] for row in result.rows)]
    means = ["mean", "", *map(short, (result.tau_b, result.tau_ap, result.rbo))]
    write = {"table": aligned, "tsv": tabbed}[arguments.format]
    for line in write([header, *rows, *[means] * (len(rows) > 1)]):
        sys.stdout.write(line + "\n")
    return 0


def _of_runs(arguments: argparse.Namespace) -> "Correlation":
    from trackside.cli.files.inputs import read_qrels, read_runs
    from trackside.library.correlating import correlate
    from trackside.library.inputs import IdsDoNotMeet
    from trackside.text.shown import visible_line

    sets, runs = read_qrels(arguments.qrels), list(read_runs(arguments.runs))
    if not sets and len(runs) == 2 and not arguments.measure:
        return correlate(*runs, p=arguments.p)
    if len(sets) != 2:
        raise InputError(
            "give two runs, or --qrels twice with the runs to rank and a --measure, or --leaderboard twice."
        )
    options = {"measures": arguments.measure or "nDCG@10", "level": arguments.level, "p": arguments.p}
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always", IdsDoNotMeet)
        result = correlate(*sets, runs=runs, **options)
    for warning in issued:
        sys.stderr.write(f"warning: {visible_line(str(warning.message))}\n")
    return result


def _of_leaderboards(arguments: argparse.Namespace) -> "Correlation":
    from trackside.cli.files.inputs import named
    from trackside.files.leaderboards import Leaderboard
    from trackside.library.correlating import correlate_leaderboards

    if len(arguments.leaderboard) != 2 or arguments.runs or arguments.qrels or arguments.level is not None:
        raise InputError("give --leaderboard twice, without runs, --qrels and --level.")
    boards = [Leaderboard.from_file(path, name=name) for name, path in map(named, arguments.leaderboard)]
    result = correlate_leaderboards(*boards, measures=arguments.measure, p=arguments.p)
    for board, other in (boards, boards[::-1]):
        _warn(board, other, {row.name for row in result.rows})
    return result


def _warn(board: "Leaderboard", other: "Leaderboard", compared: set[str]) -> None:
    """Say which runs and topics are left out."""
    from trackside.text.counted import counted
    from trackside.text.shown import visible_line

    runs, others = (
        {run: None for of_measure in each.values.values() for run in of_measure} for each in (board, other)
    )
    if alone := [run for run in runs if run not in others]:
        names = ", ".join(alone[:5]) + (", …" if len(alone) > 5 else "")
        line = f"{counted(len(alone), 'run')} only in {board.name} left out: {names}"
        sys.stderr.write(f"warning: {visible_line(line)}\n")
    for measure in board.values:
        if any(measure in name.split(" / ") for name in compared) and (left_out := board.totals(measure)[1]):
            topics = counted(left_out, "topic")
            line = f"{measure} of {board.name}: {topics} left out, without a value of some run"
            sys.stderr.write(f"warning: {visible_line(line)}\n")
