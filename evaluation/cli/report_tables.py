"""A report as plain tables of text: the numbers of the report page, whatever computed them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.cli.tables import aligned
from evaluation.core.errors import InputError
from evaluation.core.estimate import Estimate, Reason
from evaluation.core.leaderboard import run_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ABSENT = "–"
SMALLEST_P = 0.0001  # below it a p is only said to be less
QUARTILES = {"lowest": 0.0, "q25": 0.25, "median": 0.5, "q75": 0.75, "highest": 1.0}

Content = dict[str, Any]
Table = list[list[str]]


class NotInReport(InputError):
    """The report has no such measure or family."""


def report_lines(content: Content, *, measure: str | None = None, family: str | None = None) -> Iterator[str]:
    """Lines of a report's tables: judges against people, bias, grades, raw scores, runs and qrels.

    ``content`` is that of a stored report (evaluation/core/report.py). Runs are shown by one measure, bias
    for one family; None takes the first. What has no value reads "undefined (reason)". Raises NotInReport.
    """
    measure = _chosen("measure", measure, content["measures"])
    yield _opening(content)
    yield from _section("How near each judge comes to people: order of the runs", _correlation_rows(content))
    yield from _section("Grades, on the items that both graded", _agreement_rows(content))
    if family or content["families"]:
        family = _chosen("family", family, content["families"])
        title = f"Relative Delta of {family} runs against the others; bias is the judge's less people's"
        yield from _section(title, _bias_rows(content, family))
    for judge in content["others"]:
        title = f"Items by people's grade (rows) and by {judge['name']} (columns)"
        yield from _section(title, _confusion_rows(judge, content["scale"]))
    for judge in content["others"]:
        if judge["raw_scores"]:
            title = f"Raw scores of {judge['name']} by people's grade{_cuts(judge)}"
            yield from _section(title, _raw_score_rows(judge))
    yield from _section(f"Runs by mean {measure}, and their ranks", _run_rows(content, measure))
    yield from _section("Qrels", _qrels_rows(content))


def _chosen(what: str, wanted: str | None, choices: Sequence[str]) -> str:
    if wanted is not None and wanted not in choices:
        offered = ", ".join(choices) or "none"
        raise NotInReport(f"The report has no {what} {wanted}. Choose one of: {offered}.")
    return wanted or choices[0]


def _section(title: str, rows: Table) -> Iterator[str]:
    yield ""
    yield title
    yield from ("  " + line for line in aligned(rows))


def _opening(content: Content) -> str:
    people = content["reference"]
    return (
        f"{len(content['runs']):,} runs. People graded {people['graded_count']:,} items on "
        f"{people['topic_count']:,} topics. Grades {', '.join(map(str, content['scale']))}; "
        f"relevant from {content['level']}."
    )


def _correlation_rows(content: Content) -> Table:
    """Each judge and measure; the correlations are over the means of the runs."""
    rows = [["judge", "measure", "tau", "rho", "r"]]
    for judge in content["others"]:
        for measure in content["measures"]:
            found = judge["correlation"][measure]
            numbers = [_number(found[name], "z.2f") for name in ("kendall", "spearman", "pearson")]
            rows.append([judge["name"], measure, *numbers])
    return rows


def _agreement_rows(content: Content) -> Table:
    rows = [["judge", "topics", "items", "kappa", "ceiling"]]
    for judge in content["others"]:
        counts = [f"{judge['shared_topic_count']:,}", f"{judge['shared_pair_count']:,}"]
        numbers = [_number(judge["kappa"], "z.2f"), _number(judge["kappa_max"], "z.2f")]
        rows.append([judge["name"], *counts, *numbers])
    return rows


def _bias_rows(content: Content, family: str) -> Table:
    rows = [["judge", "measure", "people, %", "judge, %", "bias, points", "p", "arrangements"]]
    for judge in content["others"]:
        for measure in content["measures"]:
            found = judge["bias"][measure].get(family)
            if found:
                deltas = [_number(found[name], "+z.1f") for name in ("reference_delta", "delta", "bias")]
                drawn = "all" if found["is_exact"] else "drawn"
                tried = f"{drawn} {found['arrangements']:,}"
                rows.append([judge["name"], measure, *deltas, _p(found["p"]), tried])
    return rows


def _confusion_rows(judge: Content, scale: Sequence[int]) -> Table:
    counts = zip(scale, judge["confusion"], strict=True)
    return [["people", *map(str, scale)]] + [[str(grade), *(f"{n:,}" for n in row)] for grade, row in counts]


def _raw_score_rows(judge: Content) -> Table:
    rows = [["people", "items", *QUARTILES]]
    for grade, raw_scores in judge["raw_scores"].items():
        found = np.quantile(raw_scores, list(QUARTILES.values())) if raw_scores else ()
        numbers = [f"{value:.3f}" for value in found] or [ABSENT] * len(QUARTILES)
        rows.append([grade, f"{len(raw_scores):,}", *numbers])
    return rows


def _cuts(judge: Content) -> str:
    cuts = judge["thresholds"]
    return f"; its cuts are {' and '.join(f'{cut:.3f}' for cut in cuts)}" if cuts else ""


def _run_rows(content: Content, measure: str) -> Table:
    """The runs by people's mean, best first; those without a mean last."""
    people = content["reference"]["name"]
    columns = {people: content["reference_means"][measure]}
    columns |= {judge["name"]: judge["means"][measure] for judge in content["others"]}
    ranks = {name: _ranks(column) for name, column in columns.items()}
    best_first = sorted(
        content["runs"], key=lambda run: ranks[people].get(run["tag"], len(content["runs"]) + 1)
    )
    header = ["run", "team", "families", *(cell for name in columns for cell in (name, "rank"))]
    rows = [
        [run["tag"], run["team"], ", ".join(run["families"])]
        + [cell for name in columns for cell in _mean_and_rank(run["tag"], columns[name], ranks[name])]
        for run in best_first
    ]
    return [header, *rows]


def _ranks(means: Mapping[str, float | None]) -> dict[str, int]:
    return run_ranks({tag: mean for tag, mean in means.items() if mean is not None})


def _mean_and_rank(tag: str, means: Mapping[str, float | None], ranks: Mapping[str, int]) -> tuple[str, str]:
    mean = means.get(tag)
    return (ABSENT, "") if mean is None else (f"{mean:.4f}", str(ranks[tag]))


def _qrels_rows(content: Content) -> Table:
    rows = [["name", "version", "topics", "graded", "gaps", "mapping", "SHA-256"]]
    for qrels in (content["reference"], *content["others"]):
        counts = [f"{qrels[name]:,}" for name in ("version", "topic_count", "graded_count", "gap_count")]
        mapping = (qrels["provenance"].get("mapping") or {}).get("rule", ABSENT)
        rows.append([qrels["name"], *counts, mapping, qrels["sha256"][:12]])
    return rows


def _number(stored: Mapping[str, Any], form: str) -> str:
    """A stored estimate, or "undefined (reason)"."""
    return _undefined(stored) or format(stored["value"], form).replace("-", "−")


def _p(stored: Mapping[str, Any]) -> str:
    if stored["value"] is not None and stored["value"] < SMALLEST_P:
        return f"<{SMALLEST_P}"
    return _undefined(stored) or f"{stored['value']:.4f}"


def _undefined(stored: Mapping[str, Any]) -> str:
    reason = stored["reason"]
    return Estimate.undefined(Reason(reason)).text() if reason else ""
