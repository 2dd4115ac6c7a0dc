"""The implementation of `trackside compare`."""

import argparse
import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from trackside.cli.files.inputs import read_qrels, read_runs, warn_of_ids
from trackside.cli.files.tables import aligned, tabbed
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.library.evaluating import one_measure
from trackside.measuring import evaluate
from trackside.statistics.comparison.multiplicity import letters
from trackside.statistics.comparison.pairs import TABLE_TESTS, Comparison, compare_runs
from trackside.statistics.estimate import Estimate, Interval
from trackside.text.counted import counted
from trackside.text.shown import visible_line


class ComparisonSettings(NamedTuple):
    """The settings of a comparison: measure with level, qrels, and the options.

    ``ids`` names the runs whose ids do not meet those of the qrels; their values say nothing of the systems.
    """

    measure: str
    qrels: Qrels
    asked: argparse.Namespace
    ids: list[str]


def comparison_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines to print. Raises InputError."""
    if not 0 < arguments.alpha < 1:
        raise InputError(f"--alpha {arguments.alpha}: give a level between 0 and 1, such as 0.05")
    (qrels,) = read_qrels([arguments.qrels])
    measure = one_measure(arguments.measure, ranks_runs=True)
    evaluation = evaluate(read_runs(arguments.runs), qrels, [measure], level=arguments.level)
    comparison = compare_runs(
        evaluation.values[:, 0, :, 0].T,
        evaluation.runs,
        test=arguments.test,
        method=None if arguments.correct == "none" else arguments.correct,
        alpha=arguments.alpha,
        baseline=arguments.baseline,
        seed=arguments.seed,
    )
    lines = {meeting.run: visible_line(meeting.line) for meeting in warn_of_ids(evaluation)}
    ids = [f"{run}: {line}" for run, line in lines.items() if line]
    settings = ComparisonSettings(str(evaluation.measures[0]), qrels, arguments, ids)
    return FORMATS[arguments.format](comparison, settings)


def _table(comparison: Comparison, made: ComparisonSettings) -> Iterator[str]:
    yield _settings_line(comparison, made)
    yield from made.ids
    yield ""
    yield from aligned(_run_rows(comparison, made.measure))
    yield ""
    yield from aligned(_pair_rows(comparison))


def _settings_line(comparison: Comparison, made: ComparisonSettings) -> str:
    """The settings of the comparison in one line."""
    asked = made.asked
    correction = "" if asked.test in TABLE_TESTS or asked.correct == "none" else f", {asked.correct}"
    seed = f", seed {asked.seed}" if "random" in asked.test else ""
    left_out = f", {comparison.left_out:,} left out without a value" if comparison.left_out else ""
    return (
        f"{made.measure} on {counted(comparison.topic_count, 'topic')}{left_out} of {made.qrels.name} "
        f"(sha256 {made.qrels.sha256[:12]}); {asked.test}{correction}{seed}; "
        f"letters: significantly better than these runs at {asked.alpha:g}"
    )


def _run_rows(comparison: Comparison, measure: str) -> list[list[str]]:
    names = letters(len(comparison.means))
    return [["", "run", measure, "better than"]] + [
        [name, tag, f"{mean:.4f}", comparison.letters[tag]]
        for name, (tag, mean) in zip(names, comparison.means.items(), strict=True)
    ]


def _pair_rows(comparison: Comparison) -> list[list[str]]:
    counts = ["wins", "ties", "losses"]
    return [["better", "worse", "difference", "95 % interval", "p", "adjusted p", "d_z", *counts]] + [
        [
            pair.better,
            pair.worse,
            f"{pair.difference:.4f}",
            _interval_text(pair.interval),
            _p_text(pair.p),
            _p_text(pair.adjusted_p) + (" *" if pair.is_significant else ""),
            pair.effect.d_z.text(2),
            *(str(getattr(pair.sign, name)) for name in counts),
        ]
        for pair in comparison.pairs
    ]


def _interval_text(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "undefined"
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _p_text(p: Estimate) -> str:
    return "<0.0001" if p.value is not None and p.value < 0.0001 else p.text()


def _tsv(comparison: Comparison, made: ComparisonSettings) -> Iterator[str]:
    return tabbed(_pair_rows(comparison))


def _latex(comparison: Comparison, made: ComparisonSettings) -> Iterator[str]:
    """A table of runs with superscript letters, as in papers."""
    settings = f"{_settings_line(comparison, made)}; needs \\usepackage{{booktabs}}"
    yield comparison.to_latex(made.measure, comments=(settings, *made.ids))


def _json(comparison: Comparison, made: ComparisonSettings) -> Iterator[str]:
    asked = made.asked
    document = {
        "measure": made.measure,
        "qrels": {"name": made.qrels.name, "sha256": made.qrels.sha256},
        "topics": comparison.topic_count,
        "topics_left_out": comparison.left_out,
        "ids_that_do_not_meet": made.ids,
        "test": asked.test,
        "correction": None if asked.test in TABLE_TESTS else asked.correct,
        "alpha": asked.alpha,
        "seed": asked.seed,
        "runs": [
            {"run": tag, "mean": mean, "better_than": comparison.letters[tag]}
            for tag, mean in comparison.means.items()
        ],
        "pairs": [_pair_document(pair) for pair in comparison.to_frame().rows(named=True)],
    }
    yield json.dumps(document, ensure_ascii=False, indent=1)


def _pair_document(pair: dict[str, Any]) -> dict[str, Any]:
    """A row of the comparison's frame: the ends of the interval in one list, infinity as text."""
    ends = {"interval": [pair.pop("low"), pair.pop("high")], "undefined": pair.pop("reason")}
    d_z = pair["d_z"]
    return pair | ends | {"d_z": str(d_z) if d_z is not None and math.isinf(d_z) else d_z}


FORMATS = {"table": _table, "json": _json, "tsv": _tsv, "latex": _latex}
