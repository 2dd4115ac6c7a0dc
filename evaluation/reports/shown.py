"""The head of a report's page: its findings, key figures of judges, and run table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from evaluation.core.figures.whisker import whisker
from evaluation.core.report.findings import Number, Outcome, Verdict
from evaluation.core.report.stored import from_json
from evaluation.core.statistics.estimate import Estimate
from evaluation.reports.sections import shown_sections

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.figures.whisker import Whisker
    from evaluation.core.report.findings import Cell, Column, Findings, Table
    from evaluation.reports.models import Report
    from evaluation.reports.sections import ShownSection

IN_SHORT = "in-short"  # the section shown at the head of the page


@dataclass(frozen=True)
class Finding:
    """A sentence on one judge or one run, with its deciding number."""

    name: str
    words: str
    number: str
    what: str


@dataclass(frozen=True)
class ShownReport:
    """The values of the page's parts, computed on first use.

    A report never changes, so the page caches its rendered parts; then nothing is computed.
    """

    report: Report
    measure: str
    family: str | None

    @cached_property
    def panels(self) -> list[JudgePanel]:
        """The key figures of each judge."""
        return judge_panels(self._findings, self.measure, self.family)

    @cached_property
    def rows(self) -> list[RunRow]:
        """The run table."""
        return run_rows(self._findings, self.measure, self.family)

    @cached_property
    def sections(self) -> list[ShownSection]:
        """The sections below the run table."""
        found = shown_sections(self._findings, measure=self.measure, family=self.family)
        return [section for section in found if section.name != IN_SHORT]

    @property
    def basis(self) -> str:
        """The data behind each number."""
        return self._findings.basis

    @property
    def lead(self) -> str:
        """The sentence on all judges, or, without judges, on the best run."""
        record = self._record("lead")
        return str(record["finding"]) if record else ""

    @property
    def found(self) -> list[Finding]:
        """One finding per judge."""
        table = self._findings.table(IN_SHORT)
        chosen = table.where(measure=self.measure, family=self.family).records() if table else ()
        names = "judge", "finding", "number", "what it is"
        return [Finding(*(str(record[name]) for name in names)) for record in chosen]

    @cached_property
    def _findings(self) -> Findings:
        return from_json(self.report.stored)

    def _record(self, table: str) -> dict[str, Cell] | None:
        found = self._findings.table(table)
        return found.record(measure=self.measure, family=self.family) if found else None


IN_FAMILY, OTHER = 2, 1  # numbers of series in the style sheet
LABELS = {
    Outcome.FAVOURS: ("bad", "favours"),
    Outcome.DISFAVOURS: ("bad", "disfavours"),
    Outcome.NO_SIGN: ("ok", "no sign"),
    Outcome.CANNOT_TELL: ("warn", "cannot be told"),
    Outcome.UNDEFINED: ("warn", "undefined"),
}


@dataclass(frozen=True)
class ShownNumber:
    """A number as text, its interval or the reason for its absence, and its whisker."""

    value: str
    interval: str
    whisker: Whisker


@dataclass(frozen=True)
class JudgePanel:
    """One set of qrels compared with people's: a row of the judges' table."""

    name: str
    kind: str
    counts: str
    tau: ShownNumber
    ceiling: str
    kappa: ShownNumber
    kappa_ceiling: str
    difference: ShownNumber
    excess: ShownNumber
    p: str
    tone: str
    favour: str


@dataclass(frozen=True)
class RunRow:
    """A run's mean and rank under people's qrels and under each other set."""

    tag: str
    team: str
    series: int
    cells: tuple[tuple[str, str], ...]


def judge_panels(findings: Findings, measure: str, family: str | None) -> list[JudgePanel]:
    """Return the key figures of each of the report's other qrels."""
    table = findings.table("judges")
    if table is None:
        return []
    chosen = table.where(measure=measure, family=family)
    columns = {column.name: column for column in chosen.columns}
    return [_panel(columns, record) for record in chosen.records()]


def _panel(columns: Mapping[str, Column], record: Mapping[str, Cell]) -> JudgePanel:
    def text(name: str) -> str:
        return columns[name].text(record[name])

    favour = record["favour"]
    tone, label = LABELS[favour.outcome] if isinstance(favour, Verdict) else ("", "")
    difference, excess = "difference in Relative Delta", "excess, points"
    return JudgePanel(
        name=text("judge"),
        kind=text("kind"),
        counts=f"{text('topics')} topics, {text('items')} items",
        tau=_number(columns["tau"], record["tau"], ceiling=record["noise ceiling"]),
        ceiling=text("noise ceiling"),
        kappa=_number(columns["kappa"], record["kappa"], ceiling=record["ceiling of kappa"]),
        kappa_ceiling=_number(columns["ceiling of kappa"], record["ceiling of kappa"]).value,
        difference=_number(columns[difference], record[difference]),
        excess=_number(columns[excess], record[excess]),
        p=text("p, corrected"),
        tone=tone,
        favour=label,
    )


def _number(column: Column, cell: Cell, *, ceiling: Cell = None) -> ShownNumber:
    if not isinstance(cell, Number) or cell.value is None:
        return ShownNumber(column.text(cell), "", whisker(Estimate.of(0.0)))
    interval = ""
    if cell.missing:
        interval = f"none: {cell.missing.words}"
    elif cell.low is not None:
        low, high = (column.text(Number(each)) for each in (cell.low, cell.high))
        interval = f"{low} to {high}"
    top = ceiling.value if isinstance(ceiling, Number) else None
    drawn = whisker(Estimate.of(cell.value), cell.interval, None if top is None else Estimate.of(top))
    return ShownNumber(column.text(Number(cell.value)), interval, drawn)


def run_rows(findings: Findings, measure: str, family: str | None) -> list[RunRow]:
    """Return the runs by people's mean, best first; runs without a mean come last."""
    table = findings.table("means")
    if table is None:
        return []
    names = [findings.facts["people"], *findings.facts["judges"]]
    families_of = {run["tag"]: run["families"] for run in findings.facts["runs"]}
    return [
        _run_row(table, record, names, is_in=family in families_of[str(record["run"])])
        for record in table.where(measure=measure).records()
    ]


def _run_row(table: Table, record: Mapping[str, Cell], names: list[str], *, is_in: bool) -> RunRow:
    texts = {column.name: column.text(record[column.name]) for column in table.columns}
    cells = tuple((texts[name], texts[f"rank, {name}"]) for name in names)
    return RunRow(texts["run"], texts["team"], IN_FAMILY if is_in else OTHER, cells)
