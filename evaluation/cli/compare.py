"""`trackside compare`: which runs are better than which, and is it more than chance."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

from evaluation.cli.inputs import read_qrels, read_runs
from evaluation.cli.tables import aligned, tabbed
from evaluation.core.comparison import PAIR_TESTS, TABLE_TESTS, compare_runs
from evaluation.core.errors import InputError
from evaluation.core.measures import evaluate, parse_measure
from evaluation.core.multiplicity import letters

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from evaluation.core.comparison import ComparedPair, Comparison
    from evaluation.core.estimate import Estimate, Interval

EXAMPLE = "trackside compare --qrels human.qrels --measure nDCG@10 --test tukey runs/*.gz"
METHODS = ("holm", "bonferroni", "BH", "BY", "none")


class BadCompareOption(InputError):
    """Options of a comparison that do not make sense."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUN", help="run files, plain, .gz, .zst or .bz2")
    add("--qrels", required=True, metavar="FILE", help="grades: topic iteration docno grade")
    add("--measure", default="nDCG@10", metavar="NAME", help="such as AP(rel=2) or RR@10 (nDCG@10)")
    add("--level", type=int, metavar="N", help="lowest grade that counts as relevant (1)")
    add("--test", choices=PAIR_TESTS + TABLE_TESTS, default="t", help="paired by topic; tukey is two-way (t)")
    add("--correct", choices=METHODS, default="holm", help="for many pairs; not used by tukey (holm)")
    add("--alpha", type=float, default=0.05, metavar="P", help="significant up to this adjusted p (0.05)")
    add("--baseline", metavar="TAG", help="compare with this run only")
    add("--seed", type=int, default=0, metavar="N", help="seed of randomisation (0)")
    add(
        "--format",
        choices=("table", "json", "tsv", "latex"),
        default="table",
        help="form of the output (table)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the runs with the letters of those they are better than, then the pairs."""
    if not 0 < arguments.alpha < 1:
        raise BadCompareOption(f"--alpha {arguments.alpha}: give a level between 0 and 1, such as 0.05")
    (qrels,) = read_qrels([arguments.qrels])
    measure = parse_measure(arguments.measure)
    evaluation = evaluate(read_runs(arguments.runs), qrels, [measure], level=arguments.level)
    if len(set(evaluation.runs)) < len(evaluation.runs):
        raise BadCompareOption("two runs have the same tag: give each its own")
    comparison = compare_runs(
        evaluation.values[:, 0, :, 0].T,
        evaluation.runs,
        test=arguments.test,
        method=None if arguments.correct == "none" else arguments.correct,
        alpha=arguments.alpha,
        baseline=arguments.baseline,
        seed=arguments.seed,
    )
    for line in FORMATS[arguments.format](comparison, arguments):
        sys.stdout.write(line + "\n")
    return 0


def _table(comparison: Comparison, arguments: argparse.Namespace) -> Iterator[str]:
    yield _made(comparison, arguments)
    yield ""
    yield from aligned(_run_rows(comparison, arguments.measure))
    yield ""
    yield from aligned(_pair_rows(comparison))


def _made(comparison: Comparison, arguments: argparse.Namespace) -> str:
    """How the comparison was made, in one line."""
    correction = (
        "" if arguments.test in TABLE_TESTS or arguments.correct == "none" else f", {arguments.correct}"
    )
    seed = f", seed {arguments.seed}" if "random" in arguments.test else ""
    left_out = f", {comparison.left_out:,} left out without a value" if comparison.left_out else ""
    test = f"{arguments.test}{correction}{seed}"
    return (
        f"{arguments.measure} on {comparison.topic_count:,} topics{left_out}; {test}; "
        f"letters: significantly better than these runs at {arguments.alpha:g}"
    )


def _run_rows(comparison: Comparison, measure: str) -> list[list[str]]:
    names = letters(len(comparison.means))
    return [["", "run", measure, "better than"]] + [
        [name, tag, f"{mean:.4f}", comparison.letters[tag]]
        for name, (tag, mean) in zip(names, comparison.means.items(), strict=True)
    ]


def _pair_rows(comparison: Comparison) -> list[list[str]]:
    header = [
        "better",
        "worse",
        "difference",
        "95 % interval",
        "p",
        "adjusted p",
        "d_z",
        "wins",
        "ties",
        "losses",
    ]
    return [header] + [
        [
            pair.better,
            pair.worse,
            f"{pair.difference:.4f}",
            _interval_text(pair.interval),
            _p_text(pair.p),
            _p_text(pair.adjusted_p) + (" *" if pair.is_significant else ""),
            pair.effect.d_z.text(2),
            f"{pair.sign.wins}",
            f"{pair.sign.ties}",
            f"{pair.sign.losses}",
        ]
        for pair in comparison.pairs
    ]


def _interval_text(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "undefined"
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _p_text(p: Estimate) -> str:
    return "<0.0001" if p.value is not None and p.value < 0.0001 else p.text()


def _tsv(comparison: Comparison, arguments: argparse.Namespace) -> Iterator[str]:
    return tabbed(_pair_rows(comparison))


def _latex(comparison: Comparison, arguments: argparse.Namespace) -> Iterator[str]:
    """Runs with superscript letters, as papers print them."""
    yield f"% {_made(comparison, arguments)}; needs \\usepackage{{booktabs}}"
    yield "\\begin{tabular}{llr}"
    yield "\\toprule"
    yield f" & Run & {_escaped(arguments.measure)} \\\\"
    yield "\\midrule"
    for name, tag, mean, better in _run_rows(comparison, arguments.measure)[1:]:
        superscript = f"$^{{{better}}}$" if better else ""
        yield f"{name} & {_escaped(tag)} & {mean}{superscript} \\\\"
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _escaped(text: str) -> str:
    return "".join(f"\\{character}" if character in "&%$#_{}" else character for character in text)


def _json(comparison: Comparison, arguments: argparse.Namespace) -> Iterator[str]:
    document = {
        "measure": arguments.measure,
        "qrels": arguments.qrels,
        "topics": comparison.topic_count,
        "topics_left_out": comparison.left_out,
        "test": arguments.test,
        "correction": None if arguments.test in TABLE_TESTS else arguments.correct,
        "alpha": arguments.alpha,
        "seed": arguments.seed,
        "runs": [
            {"run": tag, "mean": mean, "better_than": comparison.letters[tag]}
            for tag, mean in comparison.means.items()
        ],
        "pairs": [_pair_document(pair) for pair in comparison.pairs],
    }
    yield json.dumps(document, ensure_ascii=False, indent=1)


def _pair_document(pair: ComparedPair) -> dict[str, Any]:
    return {
        "better": pair.better,
        "worse": pair.worse,
        "difference": pair.difference,
        "interval": [pair.interval.low, pair.interval.high],
        "p": pair.p.value,
        "adjusted_p": pair.adjusted_p.value,
        "undefined": pair.p.reason,
        "d_z": _finite(pair.effect.d_z.value),
        "g_z": pair.effect.g_z.value,
        "wins": pair.sign.wins,
        "ties": pair.sign.ties,
        "losses": pair.sign.losses,
        "is_significant": pair.is_significant,
    }


def _finite(value: float | None) -> float | str | None:
    """JSON has no infinity."""
    return str(value) if value is not None and math.isinf(value) else value


FORMATS = {"table": _table, "json": _json, "tsv": _tsv, "latex": _latex}
