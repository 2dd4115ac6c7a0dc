"""`trackside score`: values of measures for runs under one or more sets of qrels."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from evaluation.cli.inputs import read_qrels, read_runs
from evaluation.cli.outputs import WRITERS, Report
from evaluation.cli.trec_output import trec_lines
from evaluation.core.errors import InputError
from evaluation.core.measures import evaluate, parse_measures
from evaluation.core.measures.intervals import bootstrap_intervals
from evaluation.core.measures.strings import grade_strings
from evaluation.core.trec_files.topic_lists import read_strata

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from evaluation.core.measures import Evaluation, Measure
    from evaluation.core.trec_files import Qrels, Rankings

EXAMPLE = "trackside score --qrels human.qrels --qrels clip=clip.qrels --measure nDCG@10 *.run.gz"
_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")
_GROUPS = ("official", "all_trec", "set")


class BadOption(InputError):
    """An option's value does not make sense."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="run files, plain, .gz, .zst or .bz2; - reads standard input")
    add(
        "--qrels",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="grades: topic iteration docno grade",
    )
    add(
        "--prels",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="grades of a sampled pool: topic iteration docno stratum grade (-1 where not sampled)",
    )
    add(
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="such as nDCG@10, AP(rel=2), P.5,10, ndcg_cut_10, official, all_trec; may be repeated",
    )
    add("--level", type=int, metavar="N", help="lowest grade that counts as relevant (1)")
    add("--max-results", type=int, metavar="N", help="look at the first N results of a topic only")
    add("--judged-only", action="store_true", help="drop results without a grade first (trec_eval -J)")
    add("--no-complete", action="store_true", help="a judged topic without results is an error, not 0")
    add("--gains", metavar="GRADE=GAIN,…", help="gains of grades for nDCG and its kin, such as 1=1,2=3")
    add(
        "--scores",
        choices=("double", "single"),
        default="double",
        help="compare scores as trec_eval 10, or as 32-bit numbers as trec_eval 9 (double)",
    )
    add("--per-topic", action="store_true", help="also print each topic")
    add("--strata", metavar="FILE", help="topic and stratum a line: print harmonic means over strata")
    add("--format", choices=(*WRITERS, "trec_eval"), default="table", help="form of the output (table)")
    add("--decimals", type=int, default=4, metavar="N", help="digits after the point (4)")
    add("--seed", type=int, default=0, metavar="N", help="seed of the bootstrap intervals in tables (0)")


def run(arguments: argparse.Namespace) -> int:
    """Prints the values."""
    qrels = read_qrels(arguments.qrels) + read_qrels(arguments.prels, is_sampled=True)
    if not qrels:
        raise BadOption("no qrels. Give at least one with --qrels FILE or --prels FILE.")
    lines = _trec_lines(arguments, qrels) if arguments.format == "trec_eval" else _lines(arguments, qrels)
    for line in lines:
        sys.stdout.write(line + "\n")
    return 0


def _lines(arguments: argparse.Namespace, qrels: list[Qrels]) -> Iterator[str]:
    runs = read_runs(arguments.runs, single=arguments.scores == "single")
    measures = parse_measures(arguments.measure or _MEASURES)
    evaluation = _evaluated(arguments, runs, qrels, measures)
    report = Report(
        evaluation,
        qrels,
        is_per_topic=arguments.per_topic,
        decimals=arguments.decimals,
        seed=arguments.seed,
        intervals=bootstrap_intervals(evaluation, seed=arguments.seed)
        if arguments.format == "table"
        else None,
        harmonic=evaluation.harmonic_means(read_strata(arguments.strata)) if arguments.strata else None,
    )
    return WRITERS[arguments.format](report)


def _trec_lines(arguments: argparse.Namespace, qrels: list[Qrels]) -> Iterator[str]:
    names = arguments.measure or ["official"]
    is_run_shown = any(name == "runid" or name in _GROUPS for name in names)
    string_names = [name for name in names if name.split(".")[0] == "relstring"]
    string_names += ["relstring"] * ("all_trec" in names)
    length = _length(string_names[0]) if string_names else 0
    numbers = [name for name in names if name != "runid" and name not in string_names]
    measures = parse_measures(numbers)
    for one in read_runs(arguments.runs, single=arguments.scores == "single"):
        evaluation = _evaluated(arguments, iter([one]), qrels, measures)
        for place, each in enumerate(qrels):
            yield from trec_lines(
                evaluation,
                0,
                place,
                is_per_topic=arguments.per_topic,
                is_run_shown=is_run_shown,
                strings=_strings(arguments, one, each, length) if length else {},
                string_name=string_names[0].replace(".", "_") if string_names else "",
            )


def _length(name: str) -> int:
    length = name.partition(".")[2] or "10"
    if not length.isdecimal():
        raise BadOption(f"{name}: the length is a whole number, as in relstring.20.")
    return int(length)


def _strings(arguments: argparse.Namespace, run: Rankings, qrels: Qrels, length: int) -> dict[str, str]:
    return grade_strings(
        run,
        qrels,
        length=length,
        max_results=arguments.max_results,
        is_judged_only=arguments.judged_only,
    )


def _evaluated(
    arguments: argparse.Namespace, runs: Iterator[Rankings], qrels: list[Qrels], measures: list[Measure]
) -> Evaluation:
    return evaluate(
        runs,
        qrels,
        measures,
        level=arguments.level,
        gains=_gains(arguments.gains) if arguments.gains else None,
        max_results=arguments.max_results,
        is_judged_only=arguments.judged_only,
        is_complete=not arguments.no_complete,
    )


def _gains(text: str) -> dict[int, float]:
    gains = {}
    for part in text.split(","):
        grade, _, gain = part.partition("=")
        try:
            gains[int(grade)] = float(gain)
        except ValueError:
            raise BadOption(f"--gains {text}: '{part}' is no grade and gain. Write 1=1,2=3.") from None
    return gains
