"""The implementation of `trackside score`."""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from trackside.cli.files.inputs import read_corpora, read_qrels, read_runs, warn_of_ids
from trackside.cli.files.outputs import WRITERS, ValueTable, trec_lines
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.files.pair_strata import (
    PairStrata,
    Unmatched,
    graded_pairs,
    qrels_by_stratum,
    read_pair_strata,
)
from trackside.measuring import Evaluation, Measure, evaluate, parse_measures
from trackside.measuring.corpora import lost_topics, within_corpora
from trackside.measuring.evaluation import intervals_of_means, read_strata
from trackside.measuring.lookup import grade_strings
from trackside.measuring.meetings import Meeting

_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")
_GROUPS = ("official", "all_trec", "set")


def score_lines(arguments: argparse.Namespace, ids: list[Meeting]) -> Iterator[str]:
    """The lines to print; ``ids`` receives how the ids of each run meet those of each qrels.

    Raises InputError.
    """
    qrels = read_qrels(arguments.qrels) + read_qrels(arguments.prels, is_sampled=True)
    if not qrels:
        raise InputError("no qrels. Give at least one with --qrels FILE or --prels FILE.")
    if arguments.pair_strata:
        qrels = list(_by_stratum(qrels, read_pair_strata(arguments.pair_strata)))
    parts = within_corpora(qrels, read_corpora(arguments.corpus))
    for line in lost_topics(qrels, parts):
        sys.stderr.write(f"warning: {line}\n")
    lines = _trec_lines if arguments.format == "trec_eval" else _lines
    return lines(arguments, parts, ids)


def _by_stratum(sets: list[Qrels], strata: PairStrata) -> Iterator[Qrels]:
    """Each set by stratum, with a line to standard error on pairs left out. Raises InputError."""
    for qrels in sets:
        if qrels.strata is not None:
            raise InputError(f"{qrels.name}: a sample cannot be divided by --pair-strata. Give --qrels.")
        parts = qrels_by_stratum(qrels, strata)
        if not parts:
            raise InputError(f"{qrels.name}: none of its pairs has a stratum. Spell topics and docnos alike.")
        for line in Unmatched.of(graded_pairs(qrels), strata).lines(qrels.name):
            sys.stderr.write(f"warning: {line}\n")
        yield from parts.values()


def _lines(arguments: argparse.Namespace, qrels: list[Qrels], ids: list[Meeting]) -> Iterator[str]:
    texts = [name for name in arguments.measure if name.split(".")[0] in ("runid", "relstring")]
    if texts:
        raise InputError(f"--measure {texts[0]} is not a number. Print it with --format trec_eval.")
    runs = _runs(arguments)
    measures = parse_measures(arguments.measure or _MEASURES)
    evaluation = _evaluated(arguments, runs, qrels, measures)
    ids += warn_of_ids(evaluation)
    report = ValueTable(
        evaluation,
        qrels,
        is_per_topic=bool(arguments.per_topic),
        decimals=arguments.decimals,
        intervals=intervals_of_means(evaluation) if arguments.format == "table" else {},
        strata=read_strata(arguments.strata) if arguments.strata else None,
    )
    return WRITERS[arguments.format](report)


def _trec_lines(arguments: argparse.Namespace, qrels: list[Qrels], ids: list[Meeting]) -> Iterator[str]:
    names = arguments.measure or ["official"]
    is_run_shown = any(name == "runid" or name in _GROUPS for name in names)
    string_names = [name for name in names if name.split(".")[0] == "relstring"]
    string_names += ["relstring"] * ("all_trec" in names)
    length = _length(string_names[0]) if string_names else 0
    numbers = [name for name in names if name != "runid" and name not in string_names]
    measures = parse_measures(numbers or ["num_q"])
    for run in _runs(arguments):
        evaluation = _evaluated(arguments, iter([run]), qrels, measures)
        ids += warn_of_ids(evaluation)
        if not numbers:
            evaluation = replace(evaluation, measures=())
        for index, judgments in enumerate(qrels):
            yield from trec_lines(
                evaluation,
                0,
                index,
                is_per_topic=arguments.per_topic is not False,
                is_run_shown=is_run_shown,
                strings=_strings(arguments, run, judgments, length) if length else {},
                string_name=string_names[0].replace(".", "_") if string_names else "",
            )


def _runs(arguments: argparse.Namespace) -> Iterator[Rankings]:
    for run in read_runs(arguments.runs, single=arguments.scores == "single"):
        yield run.without_self() if arguments.skip_self else run


def _length(name: str) -> int:
    length = name.partition(".")[2] or "10"
    if not (length.isascii() and length.isdigit() and int(length)):
        raise InputError(f"{name}: the length is a whole number from 1 up, as in relstring.20.")
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
        if not re.fullmatch(r"-?\d{1,18}=[+-]?(\d+\.?\d*|\.\d+)", part, re.ASCII):
            raise InputError(f"--gains {text}: '{part}' is not a grade and a gain. Write 1=1,2=3.")
        gains[int(grade)] = float(gain)
    return gains
