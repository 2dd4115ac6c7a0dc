"""The implementation of `trackside fuse`."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from trackside.cli.files.inputs import read_qrels, read_runs
from trackside.cli.progress import with_progress
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.files.run_parts import SOUND_TAG
from trackside.fusion.methods import Tuned, tune_constant, tune_weights, weight_grid
from trackside.library.fusing import fuse
from trackside.measuring import parse_measure


def fused_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of the fused run. Raises InputError."""
    if not SOUND_TAG.fullmatch(arguments.tag):
        raise InputError(
            f"--tag '{arguments.tag}': write letters, digits, _, . and -, not starting with a full stop"
        )
    fused = _fused(arguments, list(read_runs(arguments.runs)))
    for topic, docnos, scores in fused.first(arguments.depth).results():
        start, end = f"{topic} Q0 ", f" {arguments.tag}"
        rows = enumerate(zip(docnos, scores.tolist(), strict=True), start=1)
        yield from [f"{start}{docno} {rank} {score!r}{end}" for rank, (docno, score) in rows]


def _fused(arguments: argparse.Namespace, runs: list[Rankings]) -> Rankings:
    is_weighted = arguments.method == "wsum"
    if not is_weighted and (arguments.weights or (arguments.tune and arguments.method != "rrf")):
        raise InputError("--weights needs --method wsum, and --tune needs wsum or rrf")
    return fuse(
        runs,
        arguments.method,
        k=_constant(arguments, runs) if arguments.method == "rrf" else arguments.k,
        weights=_weights(arguments, runs) if is_weighted else None,
        norm=arguments.norm,
        tag=arguments.tag,
    )


def _constant(arguments: argparse.Namespace, runs: list[Rankings]) -> int:
    """The constant of rrf: the one given, or the best on validation qrels."""
    if not arguments.tune:
        return int(arguments.k)
    measure, qrels = parse_measure(arguments.tune), _validation_qrels(arguments)
    k, value = tune_constant(runs, qrels, measure)
    sys.stderr.write(f"k: {k}; {arguments.tune} {value:.4f} on {arguments.qrels}\n")
    return k


def _validation_qrels(arguments: argparse.Namespace) -> Qrels:
    if not arguments.qrels:
        raise InputError("--tune needs validation qrels: add --qrels FILE")
    (qrels,) = read_qrels([arguments.qrels])
    return qrels


def _weights(arguments: argparse.Namespace, runs: list[Rankings]) -> Sequence[float]:
    if bool(arguments.weights) == bool(arguments.tune):
        raise InputError("the weighted sum takes either --weights W,W,… or --tune MEASURE --qrels FILE")
    if arguments.weights:
        return _numbers(arguments.weights)
    tuned = _tuned(arguments, runs)
    listing = ", ".join(f"{run.tag} {weight:g}" for run, weight in zip(runs, tuned.weights, strict=True))
    sys.stderr.write(f"weights: {listing}; {arguments.tune} {tuned.value:.4f} on {arguments.qrels}\n")
    return tuned.weights


def _tuned(arguments: argparse.Namespace, runs: list[Rankings]) -> Tuned:
    qrels = _validation_qrels(arguments)
    grid = weight_grid(len(runs), arguments.step)
    tried = with_progress(grid, len(grid), "weights")
    return tune_weights(runs, qrels, parse_measure(arguments.tune), tried, norm=arguments.norm)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--weights {text}: write numbers separated by commas, as in 0.3,0.7") from None
