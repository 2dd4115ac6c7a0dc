"""`trackside score`: values of measures for runs under one or more sets of qrels."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from trackside.cli.commands import whole
from trackside.cli.files.measure_names import NAMES
from trackside.entry_points import MEASURES, plugins

if TYPE_CHECKING:
    from trackside.measuring.meetings import Meeting

EXAMPLE = "trackside score --qrels human.qrels --qrels clip=clip.qrels --measure nDCG@10 *.run.gz"
NOTHING_MEETS = 1
FORMATS = ("table", "json", "tsv", "csv", "latex", "tot", "trec_eval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    _add_inputs(parser)
    _add_choices(parser)


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    several = partial(add, action="append", default=[])
    add(
        "runs",
        nargs="+",
        metavar="[NAME=]RUN",
        help="run files, plain, .gz, .zst or .bz2; - reads standard input",
    )
    several(
        "--qrels",
        metavar="[NAME=]FILE",
        help="grades: topic iteration docno grade",
    )
    several(
        "--prels",
        metavar="[NAME=]FILE",
        help="grades of a sampled pool: topic iteration docno stratum grade (-1 where not sampled)",
    )
    add(
        "--hybrid",
        metavar="FILE",
        help="hybrid qrels (trackside estimate --hybrid): expected values with intervals, instead of --qrels",
    )
    measure = several(
        "-m",
        "--measure",
        metavar="NAME",
        help="measure: nDCG@10, AP(rel=2), P.5,10, ndcg_cut_10, official, all_trec; may be repeated. "
        "Names, besides those of trec_eval: %(names)s",
    )
    vars(measure)["names"] = _Names()


class _Names:
    """The names of all measures, read when the help prints them."""

    def __str__(self) -> str:
        return ", ".join(sorted({*NAMES, *(plugin.name for plugin in plugins(MEASURES))}))


def _add_choices(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--level", type=whole(0), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--max-results", type=whole(1), metavar="N", help="use only the first N results of each topic")
    add("--judged-only", action="store_true", help="first drop results without a grade (trec_eval -J)")
    add("--no-complete", action="store_true", help="a judged topic without results is an error, not 0")
    add("--allow-empty", action="store_true", help="exit with 0 even if runs and qrels share no judgment")
    add("--skip-self", action="store_true", help="first drop results whose docno is the topic, as BEIR does")
    add(
        "--gains",
        metavar="GRADE=GAIN,…",
        help="gains of grades for nDCG and related measures: 1=1,2=3; with negative grades --gains=-1=0,0=1",
    )
    add(
        "--scores",
        choices=("double", "single"),
        default="double",
        help="compare scores as doubles like trec_eval 10, or as 32-bit floats like trec_eval 9 (double)",
    )
    add(
        "--per-topic",
        action=argparse.BooleanOptionalAction,
        help="print each topic too (default with --format trec_eval)",
    )
    add("--strata", metavar="FILE", help="topic and stratum per line: print harmonic means over strata")
    add(
        "--pair-strata",
        metavar="FILE",
        help="topic, docno and stratum per line: values under the grades of each stratum of pairs instead",
    )
    add(
        "--corpus",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="docnos of a smaller corpus, one per line: values within it instead; may be repeated",
    )
    add("--format", choices=FORMATS, default="table", help="format of the output (table)")
    add("--decimals", type=whole(0, 17), default=4, metavar="N", help="decimal places (4)")


def run(arguments: argparse.Namespace) -> int:
    """Print the values; NOTHING_MEETS if no run has an id in common with any qrels."""
    # numpy starts the threads of its linear algebra on import, and scoring uses none.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from trackside.cli.files.scoring import score_lines  # --help needs no numpy and polars

    if arguments.hybrid:
        from trackside.cli.files.loop.hybrid_scoring import hybrid_lines  # needs scipy

        sys.stdout.writelines(line + "\n" for line in hybrid_lines(arguments))
        return 0
    ids: list[Meeting] = []
    for line in score_lines(arguments, ids):
        sys.stdout.write(line + "\n")
    if arguments.allow_empty or not all(meeting.is_empty for meeting in ids):
        return 0
    sys.stderr.write(
        "trackside score: no run has a judged document of a judged topic. Correct the ids, or permit this "
        "with --allow-empty.\n"
    )
    return NOTHING_MEETS
