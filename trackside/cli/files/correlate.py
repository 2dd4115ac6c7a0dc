"""`trackside correlate`: tau-b, tau_AP and RBO of two rankings."""

import argparse
import sys
import warnings

from trackside.cli.commands import whole
from trackside.cli.files.tables import aligned, tabbed
from trackside.errors import InputError

EXAMPLE = "trackside correlate --qrels people.qrels --qrels clip.qrels --measure nDCG@10 runs/*.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="two run files; with --qrels the runs to rank")
    add(
        "--qrels",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="given twice: correlate the orders of the runs under both, instead of documents by topic",
    )
    add("--measure", action="append", default=[], metavar="NAME", help="what ranks the runs (nDCG@10)")
    add("--level", type=whole(0), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--p", type=float, default=0.9, metavar="P", help="persistence of RBO, between 0 and 1 (0.9)")
    add("--format", choices=("table", "tsv"), default="table", help="format of the output (table)")


def run(arguments: argparse.Namespace) -> int:
    """Print one row per topic or measure, and the means."""
    from trackside.cli.files.inputs import read_qrels, read_runs  # --help needs no numpy and polars
    from trackside.library.correlating import correlate
    from trackside.library.inputs import IdsDoNotMeet
    from trackside.text.shown import short, visible_line

    sets, runs = read_qrels(arguments.qrels), list(read_runs(arguments.runs))
    if len(sets) == 2:
        options = {"measures": arguments.measure or "nDCG@10", "level": arguments.level, "p": arguments.p}
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always", IdsDoNotMeet)
            result = correlate(*sets, runs=runs, **options)
        for warning in issued:
            sys.stderr.write(f"warning: {visible_line(str(warning.message))}\n")
    elif not sets and len(runs) == 2 and not arguments.measure:
        result = correlate(*runs, p=arguments.p)
    else:
        raise InputError("give two runs, or --qrels twice with the runs to rank and a --measure.")
    header, *rows = [[*result.to_frame().columns], *([*map(short, row)] for row in result.rows)]
    means = ["mean", "", *map(short, (result.tau_b, result.tau_ap, result.rbo))]
    write = {"table": aligned, "tsv": tabbed}[arguments.format]
    for line in write([header, *rows, *[means] * (len(rows) > 1)]):
        sys.stdout.write(line + "\n")
    return 0
