"""`trackside fuse`: one run made of several."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from evaluation.cli.inputs import read_qrels, read_runs
from evaluation.core.errors import InputError
from evaluation.core.fusion import comb_mnz, comb_sum, reciprocal_rank_fusion, tune_weights, weighted_sum
from evaluation.core.measures import evaluate, parse_measure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from evaluation.core.fusion import Tuned
    from evaluation.core.trec_files import Rankings

EXAMPLE = "trackside fuse --method wsum --tune nDCG@10 --qrels validation.qrels bm25.run clip.run > both.run"


class BadFuseOption(InputError):
    """Options of fusion that do not go together."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="run files, plain, .gz, .zst or .bz2")
    add(
        "--method",
        choices=("rrf", "wsum", "combsum", "combmnz"),
        default="rrf",
        help="reciprocal ranks, weighted sum, CombSUM or CombMNZ (rrf)",
    )
    add("--k", type=int, default=60, metavar="N", help="constant of rrf (60)")
    add("--weights", metavar="W,W,…", help="weight of each run for wsum, in the order of the runs")
    add(
        "--norm",
        choices=("min-max", "none"),
        default="min-max",
        help="scores before they are added (min-max)",
    )
    add("--tune", metavar="MEASURE", help="find the weights of wsum with the best value of this measure")
    add("--qrels", metavar="FILE", help="validation qrels for --tune: other topics than those of the result")
    add("--step", type=float, default=0.1, metavar="X", help="step of the weights that --tune tries (0.1)")
    add("--tag", default="fused", help="tag of the new run (fused)")
    add("--depth", type=int, default=1000, metavar="N", help="results of each topic (1000)")


def run(arguments: argparse.Namespace) -> int:
    """Writes the fused run to standard output; tuned weights go to standard error."""
    if arguments.depth < 1 or arguments.k < 0:
        raise BadFuseOption("--depth is at least 1 and --k at least 0")
    fused = _fused(arguments, list(read_runs(arguments.runs)))
    for topic, docnos, scores in fused:
        for rank, (docno, score) in enumerate(zip(docnos, scores.tolist(), strict=True), start=1):
            if rank > arguments.depth:
                break
            sys.stdout.write(f"{topic} Q0 {docno} {rank} {score!r} {arguments.tag}\n")
    return 0


def _fused(arguments: argparse.Namespace, runs: list[Rankings]) -> Rankings:
    tag, norm = arguments.tag, arguments.norm
    if arguments.method != "wsum":
        if arguments.weights or arguments.tune:
            raise BadFuseOption("--weights and --tune are for the weighted sum: add --method wsum")
        return {
            "rrf": lambda: reciprocal_rank_fusion(runs, k=arguments.k, tag=tag),
            "combsum": lambda: comb_sum(runs, norm=norm, tag=tag),
            "combmnz": lambda: comb_mnz(runs, norm=norm, tag=tag),
        }[arguments.method]()
    return weighted_sum(runs, _weights(arguments, runs), norm=norm, tag=tag)


def _weights(arguments: argparse.Namespace, runs: list[Rankings]) -> Sequence[float]:
    if bool(arguments.weights) == bool(arguments.tune):
        raise BadFuseOption("the weighted sum takes either --weights W,W,… or --tune MEASURE --qrels FILE")
    if arguments.weights:
        return _numbers(arguments.weights)
    if not arguments.qrels:
        raise BadFuseOption("--tune needs validation qrels: add --qrels FILE")
    tuned = _tuned(arguments, runs)
    shown = ", ".join(f"{each.tag} {weight:g}" for each, weight in zip(runs, tuned.weights, strict=True))
    sys.stderr.write(f"weights: {shown}; {arguments.tune} {tuned.value:.4f} on {arguments.qrels}\n")
    return tuned.weights


def _tuned(arguments: argparse.Namespace, runs: list[Rankings]) -> Tuned:
    (qrels,) = read_qrels([arguments.qrels])
    measure = parse_measure(arguments.tune)

    def value_of(weights: tuple[float, ...]) -> float:
        fused = weighted_sum(runs, weights, norm=arguments.norm)
        means: Any = evaluate([fused], qrels, [measure]).means()
        return float(means[0, 0, 0])

    return tune_weights(len(runs), value_of, step=arguments.step)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise BadFuseOption(f"--weights {text}: write numbers parted by commas, as in 0.3,0.7") from None
