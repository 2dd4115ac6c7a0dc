"""Values in the forms people and programs read: table, JSON, TSV, CSV, LaTeX."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from evaluation.core.measures import REASON_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from evaluation.core.measures import Evaluation, Reason
    from evaluation.core.trec_files import Qrels

_HEADER = ("run", "qrels", "measure", "topic", "value")


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to write, and how."""

    evaluation: Evaluation
    qrels: Sequence[Qrels]
    is_per_topic: bool
    decimals: int
    seed: int
    intervals: NDArray[np.float64] | None = None
    harmonic: NDArray[np.float64] | None = None

    def cells(self) -> Iterator[tuple[str, str, str, str, float, Reason | None]]:
        """Run, qrels, measure, topic ("all", or "hm" for the harmonic mean), value, why undefined."""
        each = self.evaluation
        for run, run_name in enumerate(each.runs):
            for qrels, qrels_name in enumerate(each.qrels):
                for place, measure in enumerate(each.measures):
                    if self.is_per_topic and not measure.family.is_summary_only:
                        for topic, topic_name in enumerate(each.topics):
                            if each.is_judged[qrels, topic]:
                                value = float(each.values[run, qrels, topic, place])
                                reason = each.reason(run, qrels, topic, place)
                                yield run_name, qrels_name, str(measure), topic_name, value, reason
                    mean = float(each.means()[run, qrels, place])
                    reason = each.mean_reason(run, qrels, place)
                    yield run_name, qrels_name, str(measure), "all", mean, reason
                    if self.harmonic is not None:
                        value = float(self.harmonic[run, qrels, place])
                        reason = each.mean_reason(run, qrels, place)
                        yield run_name, qrels_name, str(measure), "hm", value, reason

    def text(self, value: float, place: int) -> str:
        """A value with the digits asked for; counts of whole things without."""
        if math.isnan(value):
            return "undefined"
        family = self.evaluation.measures[place].family
        return f"{value:.0f}" if family.is_whole_number else f"{value:.{self.decimals}f}"


def _separated(report: Report, dialect: str) -> Iterator[str]:
    places = {str(measure): place for place, measure in enumerate(report.evaluation.measures)}
    yield _row(_HEADER, dialect)
    for run, qrels, measure, topic, value, reason in report.cells():
        shown = report.text(value, places[measure])
        yield _row(
            (run, qrels, measure, topic, f"undefined ({REASON_TEXT[reason]})" if reason else shown), dialect
        )


def _row(fields: Sequence[str], dialect: str) -> str:
    line = io.StringIO()
    csv.writer(line, dialect=dialect, lineterminator="").writerow(fields)
    return line.getvalue()


def _tsv(report: Report) -> Iterator[str]:
    return _separated(report, "excel-tab")


def _csv(report: Report) -> Iterator[str]:
    return _separated(report, "excel")


def _json(report: Report) -> Iterator[str]:
    values: list[dict[str, Any]] = []
    for run, qrels, measure, topic, value, reason in report.cells():
        cell: dict[str, Any] = {"run": run, "qrels": qrels, "measure": measure, "topic": topic}
        cell["value"] = None if math.isnan(value) else value
        values.append(cell | ({"undefined": str(reason)} if reason else {}))
    sets = [
        {"name": each.name, "sha256": each.sha256, "topics": len(each.topics), "judgments": len(each)}
        for each in report.qrels
    ]
    yield json.dumps({"trackside": _version(), "qrels": sets, "values": values}, ensure_ascii=False, indent=1)


def _version() -> str:
    try:
        return version("trackside")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "not installed"


def _table(report: Report) -> Iterator[str]:
    each = report.evaluation
    for qrels, own in enumerate(report.qrels):
        if qrels:
            yield ""
        yield f"{own.name}: {len(own.topics):,} topics, {len(own):,} judgments, sha256 {own.sha256[:12]}"
        rows = [["run", *map(str, each.measures)]]
        for run, name in enumerate(each.runs):
            rows.append(
                [name, *(_mean_cell(report, run, qrels, place) for place in range(len(each.measures)))]
            )
            if report.harmonic is not None:
                rows.append(
                    [
                        "  harmonic mean",
                        *(
                            report.text(value, place)
                            for place, value in enumerate(report.harmonic[run, qrels])
                        ),
                    ]
                )
            if report.is_per_topic:
                rows += _topic_rows(report, run, qrels)
        yield from _aligned(rows)
    yield f"In brackets: 95 % bootstrap interval over topics (1,000 resamples, seed {report.seed})."


def _mean_cell(report: Report, run: int, qrels: int, place: int) -> str:
    mean = report.text(float(report.evaluation.means()[run, qrels, place]), place)
    bounds = None if report.intervals is None else report.intervals[run, qrels, place]
    if bounds is None or math.isnan(bounds[0]):
        return mean
    return f"{mean} [{report.text(bounds[0], place)}, {report.text(bounds[1], place)}]"


def _topic_rows(report: Report, run: int, qrels: int) -> Iterator[list[str]]:
    each = report.evaluation
    for topic, name in enumerate(each.topics):
        if each.is_judged[qrels, topic]:
            values = each.values[run, qrels, topic]
            yield [f"  {name}", *(report.text(float(value), place) for place, value in enumerate(values))]


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _latex(report: Report) -> Iterator[str]:
    each = report.evaluation
    for qrels, name in enumerate(each.qrels):
        yield f"% {name}; needs \\usepackage{{booktabs}}"
        yield f"\\begin{{tabular}}{{l{'r' * len(each.measures)}}}"
        yield "\\toprule"
        yield " & ".join(["Run", *(_escaped(str(measure)) for measure in each.measures)]) + r" \\"
        yield "\\midrule"
        best = each.means()[:, qrels].max(axis=0)
        for run, run_name in enumerate(each.runs):
            means = each.means()[run, qrels]
            cells = [
                f"\\textbf{{{report.text(mean, place)}}}" if mean == best[place] else report.text(mean, place)
                for place, mean in enumerate(means.tolist())
            ]
            yield " & ".join([_escaped(run_name), *cells]) + r" \\"
        yield "\\bottomrule"
        yield "\\end{tabular}"


def _escaped(text: str) -> str:
    return "".join(f"\\{character}" if character in "&%$#_{}" else character for character in text)


WRITERS: dict[str, Callable[[Report], Iterator[str]]] = {
    "table": _table,
    "json": _json,
    "tsv": _tsv,
    "csv": _csv,
    "latex": _latex,
}
