"""`trackside check-favour`: results whose grades by a third person tell a favour from people's errors."""

import argparse
import os
import sys
from pathlib import Path

from trackside.cli.commands import whole
from trackside.errors import InputError

EXAMPLE = (
    "trackside check-favour --runs *.run --reference people.qrels --qrels clip.qrels --about runs.csv "
    "--out pairs.tsv"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--runs", nargs="+", required=True, metavar="[NAME=]RUN", help="run files, packed or not")
    add("--reference", required=True, metavar="[NAME=]FILE", help="people's qrels")
    add("--qrels", required=True, metavar="[NAME=]FILE", help="qrels of the judge")
    add(
        "--people",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="qrels of second assessors; may be repeated",
    )
    add("--about", required=True, metavar="FILE", help="CSV with families of the runs, as for report")
    add("--family", metavar="NAME", help="the family (the one with the largest excess)")
    add("--measure", default="nDCG@10", metavar="NAME", help="what ranks the runs (nDCG@10)")
    add("--level", type=whole(1), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--seed", type=whole(0), default=0, metavar="N", help="seed of the order of the pairs (0)")
    add("--out", metavar="FILE", help="write the pairs here: one topic and docno per line, in display order")
    add("--third", metavar="FILE", help="a third person's grades of the pairs, as qrels: say what they mean")


def run(arguments: argparse.Namespace) -> int:
    """Print the sentence, and write the pairs with --out."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from trackside.cli.files.inputs import read_qrels, read_runs  # --help needs no numpy and polars
    from trackside.library.favour import check_favour
    from trackside.text.shown import visible_line

    if not (arguments.out or arguments.third):
        raise InputError("name --out for the pairs, or --third with a third person's grades of them.")
    reference, judge, *seconds = read_qrels([arguments.reference, arguments.qrels, *arguments.people])
    check = check_favour(
        read_runs(arguments.runs),
        reference,
        judge,
        about=arguments.about,
        people=seconds,
        third=arguments.third,
        family=arguments.family,
        measure=arguments.measure,
        level=arguments.level,
        seed=arguments.seed,
    )
    sys.stdout.write(visible_line(f"{check.judge}, {check.family}: {check.says}") + "\n")
    if arguments.out:
        _write(arguments.out, check.pairs)
        sys.stdout.write(
            f"{len(check.pairs)} pairs in {arguments.out}: for a person who graded none of them.\n"
        )
    return 0


def _write(path: str, pairs: tuple[tuple[str, str], ...]) -> None:
    try:
        Path(path).write_text("".join(f"{topic}\t{docno}\n" for topic, docno in pairs), encoding="utf-8")
    except OSError as error:
        raise InputError(f"--out {path}: {error.strerror}. Name another file.") from error
