"""Values in the output format of `trec_eval -q`."""

import math
from collections.abc import Iterator, Mapping

from trackside.measuring import Evaluation, Measure
from trackside.measuring.trec_names import TREC_ORDER

# trec_eval prints the grade string after P, before recall.
_LAST_BEFORE_STRING = TREC_ORDER.index("P")


def trec_lines(
    evaluation: Evaluation,
    run: int,
    qrels: int,
    *,
    is_per_topic: bool,
    is_run_shown: bool,
    strings: Mapping[str, str],
    string_name: str = "relstring",
) -> Iterator[str]:
    """The lines for one run under one set of qrels; ``strings`` are grade strings by topic, or empty."""
    columns = sorted(range(len(evaluation.measures)), key=lambda column: _place(evaluation.measures[column]))
    if is_per_topic:
        for topic in range(len(evaluation.topics)):
            if evaluation.is_judged[qrels, topic]:
                yield from _topic_lines(evaluation, run, qrels, topic, columns, strings, string_name)
    if is_run_shown:
        yield f"{'runid':<22}\tall\t{evaluation.runs[run]}"
    for column in columns:
        measure = evaluation.measures[column]
        values = evaluation.values[run, qrels, evaluation.is_judged[qrels], column]
        mean = math.nan if any(map(math.isnan, values)) else float(evaluation.means()[run, qrels, column])
        yield _line(measure, "all", mean)


def _topic_lines(
    evaluation: Evaluation,
    run: int,
    qrels: int,
    topic: int,
    columns: list[int],
    strings: Mapping[str, str],
    string_name: str,
) -> Iterator[str]:
    name = evaluation.topics[topic]
    is_string_due = bool(strings)
    for column in columns:
        measure = evaluation.measures[column]
        if is_string_due and _place(measure)[0] > _LAST_BEFORE_STRING:
            is_string_due = False
            yield f"{string_name:<22}\t{name}\t'{strings[name]}'"
        if not measure.family.is_summary_only:
            yield _line(measure, name, float(evaluation.values[run, qrels, topic, column]))
    if is_string_due:
        yield f"{string_name:<22}\t{name}\t'{strings[name]}'"


def _place(measure: Measure) -> tuple[int, float, str]:
    """Sort key in trec_eval's order; measures that it lacks come last."""
    family = measure.family
    root = family.trec_name if measure.cutoff is None else family.trec_cut_name
    position = TREC_ORDER.index(root) if root in TREC_ORDER else len(TREC_ORDER)
    return position, measure.cutoff or 0.0, str(measure)


def _line(measure: Measure, topic: str, value: float) -> str:
    return f"{measure.trec_name or str(measure):<22}\t{topic}\t{_number(measure, value)}"


def _number(measure: Measure, value: float) -> str:
    if math.isnan(value):
        return "  -nan"  # C's output for 0.0 / 0.0 in six places, on common machines
    return f"{value:.0f}" if measure.family.is_whole_number else f"{value:6.4f}"
