"""Output formats of values: table, JSON, TSV, CSV, LaTeX."""

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from trackside.cli.files.tables import padded
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.measuring import Evaluation, Measure
from trackside.measuring.families import TREC_ORDER
from trackside.statistics.estimate import Estimate, Interval, Reason
from trackside.text.counted import counted
from trackside.text.csv_cells import escape_formula
from trackside.text.latex import latex_escaped

_HEADER = ("run", "qrels", "measure", "topic", "value")
ALL, HARMONIC = "all", "hm"


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """One value: the indices of run, qrels and measure, and the topic, ALL for the mean or HARMONIC."""

    run: int
    qrels: int
    measure: int
    topic: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class ValueTable:
    """Values to print, with options. ``strata`` adds the harmonic mean over the strata of topics."""

    evaluation: Evaluation
    qrels: Sequence[Qrels]
    is_per_topic: bool
    decimals: int
    intervals: Mapping[tuple[int, int, int], Interval] = field(default_factory=dict)
    strata: Mapping[str, str] | None = None

    def cells(self) -> Iterator[PrintedValue]:
        """All values, run by run, then by qrels and measure."""
        evaluation = self.evaluation
        for run in range(len(evaluation.runs)):
            for qrels in range(len(evaluation.qrels)):
                for index, measure in enumerate(evaluation.measures):
                    if self.is_per_topic and not measure.family.is_summary_only:
                        for topic in self.topics(qrels):
                            value = self.value(run, qrels, topic, index)
                            yield PrintedValue(run, qrels, index, evaluation.topics[topic], value)
                    yield PrintedValue(run, qrels, index, ALL, self.mean(run, qrels, index))
                    if self.strata is not None:
                        mean = evaluation.harmonic_mean(run, qrels, index, self.strata)
                        yield PrintedValue(run, qrels, index, HARMONIC, mean)

    def topics(self, qrels: int) -> Iterator[int]:
        """The indices of the topics judged by one set of qrels."""
        return (topic for topic, is_in in enumerate(self.evaluation.is_judged[qrels]) if is_in)

    def value(self, run: int, qrels: int, topic: int, measure: int) -> Estimate:
        """The value of one topic."""
        cell = (run, qrels, topic, measure)
        return _estimate(float(self.evaluation.values[cell]), self.evaluation.reason(*cell))

    def mean(self, run: int, qrels: int, measure: int) -> Estimate:
        """The measure's summary over topics, usually the mean."""
        cell = (run, qrels, measure)
        return _estimate(float(self.evaluation.means()[cell]), self.evaluation.mean_reason(*cell))

    def text(self, estimate: Estimate, measure: int) -> str:
        """A value with the requested digits, counts without decimals; the reason if it is undefined."""
        is_whole = self.evaluation.measures[measure].family.is_whole_number
        return estimate.text(0 if is_whole else self.decimals)


def _estimate(value: float, reason: Reason | None) -> Estimate:
    return Estimate.of(value) if reason is None else Estimate.undefined(reason)


def _separated(report: ValueTable, dialect: str) -> Iterator[str]:
    evaluation = report.evaluation
    yield _row(_HEADER, dialect)
    for cell in report.cells():
        measure = str(evaluation.measures[cell.measure])
        texts = (evaluation.runs[cell.run], evaluation.qrels[cell.qrels], measure, cell.topic)
        names = [str(escape_formula(text)) for text in texts]
        yield _row((*names, report.text(cell.estimate, cell.measure)), dialect)


def _row(fields: Sequence[str], dialect: str) -> str:
    import csv

    line = io.StringIO()
    csv.writer(line, dialect=dialect, lineterminator="").writerow(fields)
    return line.getvalue()


def _json(report: ValueTable) -> Iterator[str]:
    import json

    sets = []
    for qrels in report.qrels:
        counts = {"topics": len(qrels.topics), "judgments": qrels.pair_count}
        sets.append({"name": qrels.name, "sha256": qrels.sha256, **counts})
    evaluation = report.evaluation
    values = [
        {
            "run": evaluation.runs[cell.run],
            "qrels": evaluation.qrels[cell.qrels],
            "measure": str(evaluation.measures[cell.measure]),
            "topic": cell.topic,
            "value": cell.estimate.value,
            **({"undefined": cell.estimate.reason} if cell.estimate.reason else {}),
        }
        for cell in report.cells()
    ]
    yield json.dumps({"trackside": _version(), "qrels": sets, "values": values}, ensure_ascii=False, indent=1)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("trackside")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "not installed"


def _table(report: ValueTable) -> Iterator[str]:
    for index, qrels in enumerate(report.qrels):
        if index:
            yield ""
        counts = f"{counted(len(qrels.topics), 'topic')}, {counted(qrels.pair_count, 'judgment')}"
        yield f"{qrels.name}: {counts}, sha256 {qrels.sha256[:12]}"
        rows = [["run", *map(str, report.evaluation.measures)]]
        for run in range(len(report.evaluation.runs)):
            rows += _run_rows(report, run, index)
        yield from padded(rows)
    intervals = report.intervals.values()
    if any(interval.reason is None for interval in intervals):
        yield "In brackets: 95 % interval of the mean on new topics of this kind, with the same runs."
    for reason in dict.fromkeys(interval.reason for interval in intervals if interval.reason):
        count = sum(interval.reason is reason for interval in intervals)
        yield f"No interval for {count:,} of {len(intervals):,} means: {reason.words}."


def _run_rows(report: ValueTable, run: int, qrels: int) -> Iterator[list[str]]:
    evaluation, indices = report.evaluation, range(len(report.evaluation.measures))
    yield [evaluation.runs[run], *(_mean_cell(report, run, qrels, index) for index in indices)]
    if report.strata is not None:
        means = [evaluation.harmonic_mean(run, qrels, index, report.strata) for index in indices]
        yield ["  harmonic mean", *(report.text(mean, index) for index, mean in enumerate(means))]
    if report.is_per_topic:
        for topic in report.topics(qrels):
            values = [report.value(run, qrels, topic, index) for index in indices]
            cells = (report.text(value, index) for index, value in enumerate(values))
            yield [f"  {evaluation.topics[topic]}", *cells]


def _mean_cell(report: ValueTable, run: int, qrels: int, measure: int) -> str:
    mean = report.text(report.mean(run, qrels, measure), measure)
    interval = report.intervals.get((run, qrels, measure))
    if interval is None or interval.low is None or interval.high is None:
        return mean
    low, high = (report.text(Estimate.of(end), measure) for end in (interval.low, interval.high))
    return f"{mean} [{low}, {high}]"


def _latex(report: ValueTable) -> Iterator[str]:
    evaluation, indices = report.evaluation, range(len(report.evaluation.measures))
    for qrels, name in enumerate(evaluation.qrels):
        yield f"% {name}; needs \\usepackage{{booktabs}}"
        yield f"\\begin{{tabular}}{{l{'r' * len(evaluation.measures)}}}"
        yield "\\toprule"
        yield " & ".join(["Run", *(latex_escaped(str(measure)) for measure in evaluation.measures)]) + r" \\"
        yield "\\midrule"
        best = [_best(evaluation, qrels, index) for index in indices]
        for run, run_name in enumerate(evaluation.runs):
            means = [report.mean(run, qrels, index) for index in indices]
            texts = [report.text(mean, index) for index, mean in enumerate(means)]
            cells = [
                f"\\textbf{{{text}}}" if mean.value is not None and mean.value == value else text
                for text, mean, value in zip(texts, means, best, strict=True)
            ]
            yield " & ".join([latex_escaped(run_name), *cells]) + r" \\"
        yield "\\bottomrule"
        yield "\\end{tabular}"


def _best(evaluation: Evaluation, qrels: int, measure: int) -> float | None:
    """The highest mean of all runs; None if no run has a mean, or if higher is not better."""
    means = [value for value in evaluation.means()[:, qrels, measure].tolist() if not math.isnan(value)]
    return max(means) if means and evaluation.measures[measure].family.is_higher_better else None


def _tot(report: ValueTable) -> Iterator[str]:
    """A leaderboard as TREC AutoJudge reads it; values that are undefined are left out."""
    evaluation = report.evaluation
    if len(evaluation.qrels) > 1:
        raise InputError("--format tot has no column for qrels. Give --qrels once.")
    for cell in report.cells():
        if cell.estimate.value is not None:
            names = (evaluation.runs[cell.run], str(evaluation.measures[cell.measure]), cell.topic)
            yield "\t".join((*names, report.text(cell.estimate, cell.measure)))


WRITERS: dict[str, Callable[[ValueTable], Iterator[str]]] = {
    "table": _table,
    "json": _json,
    "tsv": partial(_separated, dialect="excel-tab"),
    "csv": partial(_separated, dialect="excel"),
    "latex": _latex,
    "tot": _tot,
}


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
