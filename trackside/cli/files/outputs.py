"""Output formats of values: table, JSON, TSV, CSV, LaTeX."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from trackside.cli.files.tables import padded
from trackside.files import Qrels
from trackside.measuring import Evaluation
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
        each = self.evaluation
        for run in range(len(each.runs)):
            for qrels in range(len(each.qrels)):
                for place, measure in enumerate(each.measures):
                    if self.is_per_topic and not measure.family.is_summary_only:
                        for topic in self.topics(qrels):
                            value = self.value(run, qrels, topic, place)
                            yield PrintedValue(run, qrels, place, each.topics[topic], value)
                    yield PrintedValue(run, qrels, place, ALL, self.mean(run, qrels, place))
                    if self.strata is not None:
                        mean = each.harmonic_mean(run, qrels, place, self.strata)
                        yield PrintedValue(run, qrels, place, HARMONIC, mean)

    def topics(self, qrels: int) -> Iterator[int]:
        """The indices of the topics judged by one set of qrels."""
        return (topic for topic, is_in in enumerate(self.evaluation.is_judged[qrels]) if is_in)

    def value(self, run: int, qrels: int, topic: int, place: int) -> Estimate:
        """The value of one topic."""
        each = self.evaluation
        return _estimate(float(each.values[run, qrels, topic, place]), each.reason(run, qrels, topic, place))

    def mean(self, run: int, qrels: int, place: int) -> Estimate:
        """The measure's summary over topics, usually the mean."""
        each = self.evaluation
        return _estimate(float(each.means()[run, qrels, place]), each.mean_reason(run, qrels, place))

    def text(self, estimate: Estimate, place: int) -> str:
        """A value with the requested digits, counts without decimals; the reason if it is undefined."""
        is_whole = self.evaluation.measures[place].family.is_whole_number
        return estimate.text(0 if is_whole else self.decimals)


def _estimate(value: float, reason: Reason | None) -> Estimate:
    return Estimate.of(value) if reason is None else Estimate.undefined(reason)


def _separated(report: ValueTable, dialect: str) -> Iterator[str]:
    each = report.evaluation
    yield _row(_HEADER, dialect)
    for cell in report.cells():
        texts = (each.runs[cell.run], each.qrels[cell.qrels], str(each.measures[cell.measure]), cell.topic)
        names = [str(escape_formula(text)) for text in texts]
        yield _row((*names, report.text(cell.estimate, cell.measure)), dialect)


def _row(fields: Sequence[str], dialect: str) -> str:
    line = io.StringIO()
    csv.writer(line, dialect=dialect, lineterminator="").writerow(fields)
    return line.getvalue()


def _json(report: ValueTable) -> Iterator[str]:
    sets = [
        {"name": own.name, "sha256": own.sha256, "topics": len(own.topics), "judgments": own.pair_count}
        for own in report.qrels
    ]
    each = report.evaluation
    values = [
        {
            "run": each.runs[cell.run],
            "qrels": each.qrels[cell.qrels],
            "measure": str(each.measures[cell.measure]),
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
    for qrels, own in enumerate(report.qrels):
        if qrels:
            yield ""
        counts = f"{counted(len(own.topics), 'topic')}, {counted(own.pair_count, 'judgment')}"
        yield f"{own.name}: {counts}, sha256 {own.sha256[:12]}"
        rows = [["run", *map(str, report.evaluation.measures)]]
        for run in range(len(report.evaluation.runs)):
            rows += _run_rows(report, run, qrels)
        yield from padded(rows)
    found = report.intervals.values()
    if any(each.reason is None for each in found):
        yield "In brackets: 95 % interval of the mean on new topics of this kind, with the same runs."
    for reason in dict.fromkeys(each.reason for each in found if each.reason):
        count = sum(each.reason is reason for each in found)
        yield f"No interval for {count:,} of {len(found):,} means: {reason.words}."


def _run_rows(report: ValueTable, run: int, qrels: int) -> Iterator[list[str]]:
    each, places = report.evaluation, range(len(report.evaluation.measures))
    yield [each.runs[run], *(_mean_cell(report, run, qrels, place) for place in places)]
    if report.strata is not None:
        means = [each.harmonic_mean(run, qrels, place, report.strata) for place in places]
        yield ["  harmonic mean", *(report.text(mean, place) for place, mean in enumerate(means))]
    if report.is_per_topic:
        for topic in report.topics(qrels):
            values = [report.value(run, qrels, topic, place) for place in places]
            cells = (report.text(value, place) for place, value in enumerate(values))
            yield [f"  {each.topics[topic]}", *cells]


def _mean_cell(report: ValueTable, run: int, qrels: int, place: int) -> str:
    mean = report.text(report.mean(run, qrels, place), place)
    interval = report.intervals.get((run, qrels, place))
    if interval is None or interval.low is None or interval.high is None:
        return mean
    low, high = (report.text(Estimate.of(end), place) for end in (interval.low, interval.high))
    return f"{mean} [{low}, {high}]"


def _latex(report: ValueTable) -> Iterator[str]:
    each, places = report.evaluation, range(len(report.evaluation.measures))
    for qrels, name in enumerate(each.qrels):
        yield f"% {name}; needs \\usepackage{{booktabs}}"
        yield f"\\begin{{tabular}}{{l{'r' * len(each.measures)}}}"
        yield "\\toprule"
        yield " & ".join(["Run", *(latex_escaped(str(measure)) for measure in each.measures)]) + r" \\"
        yield "\\midrule"
        best = [_best(each, qrels, place) for place in places]
        for run, run_name in enumerate(each.runs):
            means = [report.mean(run, qrels, place) for place in places]
            texts = [report.text(mean, place) for place, mean in enumerate(means)]
            cells = [
                f"\\textbf{{{text}}}" if mean.value is not None and mean.value == value else text
                for text, mean, value in zip(texts, means, best, strict=True)
            ]
            yield " & ".join([latex_escaped(run_name), *cells]) + r" \\"
        yield "\\bottomrule"
        yield "\\end{tabular}"


def _best(each: Evaluation, qrels: int, place: int) -> float | None:
    """The highest mean of all runs; None if no run has a mean, or if higher is not better."""
    means = [value for value in each.means()[:, qrels, place].tolist() if not math.isnan(value)]
    return max(means) if means and each.measures[place].family.is_higher_better else None


WRITERS: dict[str, Callable[[ValueTable], Iterator[str]]] = {
    "table": _table,
    "json": _json,
    "tsv": partial(_separated, dialect="excel-tab"),
    "csv": partial(_separated, dialect="excel"),
    "latex": _latex,
}
