"""Values of a report's pages: its findings, the judges' table, figures, sections and the run table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from evaluation.core.figures.series import series_classes
from evaluation.core.figures.svg.whisker import sign_svg
from evaluation.core.report.tables import ABSENT
from evaluation.core.report.writers.stored import from_json
from evaluation.reports.judges import judge_panels
from evaluation.reports.sections import figures_of, section_link, shown_section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.tables import Cell, Figure, Findings, Section, Table
    from evaluation.reports.judges import JudgePanel
    from evaluation.reports.models import Report
    from evaluation.reports.sections import SectionLink, ShownSection

IN_SHORT = "in-short"  # the section shown on the first page
JUDGES_A_PART = 5  # maximum judges in a part of the run table, so that it fits a page
RUNS = "runs"  # the section with the run table


@dataclass(frozen=True)
class Finding:
    """A sentence on one judge or one run, with its deciding number and the mark of the judge."""

    name: str
    sign: SafeString
    words: str
    number: str
    what: str


@dataclass(frozen=True)
class ShownReport:
    """The values of the pages' parts, computed on first use.

    A report never changes, so the pages cache their rendered parts and compute them once.
    """

    report: Report
    measure: str
    family: str | None

    @cached_property
    def panels(self) -> list[JudgePanel]:
        """The key figures of each judge."""
        return judge_panels(self._findings, self.series, self.measure, self.family)

    @property
    def has_powers(self) -> bool:
        """Whether a judge without a sign of favour has the size that would show."""
        return any(panel.shown_from not in {"", ABSENT} for panel in self.panels)

    @cached_property
    def rows(self) -> list[RunRow]:
        """The run table."""
        return run_rows(self._findings, self.measure, self.family)

    @property
    def run_parts(self) -> list[RunPart]:
        """The run table in parts of a few judges each."""
        signs = self.judge_signs
        starts = range(0, len(signs), JUDGES_A_PART) or (0,)
        return [_run_part(self.rows, signs[at : at + JUDGES_A_PART], at) for at in starts]

    @cached_property
    def links(self) -> list[SectionLink]:
        """All sections but the first page's, with their states."""
        return [section_link(each, measure=self.measure, family=self.family) for each in self._sections()]

    @property
    def sections(self) -> Iterator[ShownSection]:
        """All sections but the first page's."""
        return (self._shown(each) for each in self._sections())

    def section(self, name: str) -> ShownSection | None:
        """Return the section of that name; None if the report has none."""
        found = next((each for each in self._sections() if each.name == name), None)
        return self._shown(found) if found else None

    def neighbour(self, name: str) -> SectionLink | None:
        """Return the section after the named one; None after the last."""
        names = [link.name for link in self.links]
        return next(iter(self.links[names.index(name) + 1 :]), None)

    @cached_property
    def figures(self) -> list[Figure]:
        """The figures of the first page."""
        found = (each for each in self._findings.sections if each.name == IN_SHORT)
        return [
            figure for each in found for figure in figures_of(each, measure=self.measure, family=self.family)
        ]

    @cached_property
    def series(self) -> dict[str, str]:
        """Class of each set of qrels by its name: a judge's colour, mark and dash."""
        facts = self.report.facts
        names = [facts["people"], *facts["judges"]]  # the database does not keep the order of "kinds"
        kinds, joined = facts["kinds"], facts.get("joined", {})  # a report of older code has no "joined"
        classes = series_classes([kinds[name] for name in names], [joined.get(name) for name in names])
        return dict(zip(names, classes, strict=True))

    @property
    def judge_signs(self) -> list[tuple[str, SafeString]]:
        """Name and mark of each judge."""
        return [(name, _sign(self.series[name])) for name in self.report.facts["judges"]]

    @property
    def team_count(self) -> int:
        """Number of teams of the runs; a run without a team counts as one."""
        return len({run["team"] or run["tag"] for run in self.report.facts["runs"]})

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
        """One finding per judge, in the order of the judges' table."""
        table = self._findings.table(IN_SHORT)
        chosen = table.where(measure=self.measure, family=self.family).records() if table else ()
        by_name = {str(record["judge"]): record for record in chosen}
        names = "finding", "number", "what it is"
        return [
            Finding(panel.name, panel.sign, *(str(by_name[panel.name][name]) for name in names))
            for panel in self.panels
            if panel.name in by_name
        ]

    @cached_property
    def _findings(self) -> Findings:
        return from_json(self.report.stored)

    def _sections(self) -> list[Section]:
        return [section for section in self._findings.sections if section.name != IN_SHORT]

    def _shown(self, section: Section) -> ShownSection:
        return shown_section(section, self.series, measure=self.measure, family=self.family)

    def _record(self, table: str) -> dict[str, Cell] | None:
        found = self._findings.table(table)
        return found.record(measure=self.measure, family=self.family) if found else None


@dataclass(frozen=True)
class RunRow:
    """A run's mean and rank under people's qrels and under each other set."""

    tag: str
    team: str
    is_in_family: bool
    cells: tuple[tuple[str, str], ...]

    @property
    def sign(self) -> SafeString:
        """The mark of the family in focus or of other runs."""
        return _sign("fam" if self.is_in_family else "oth")


@dataclass(frozen=True)
class RunPart:
    """Some judges with their marks, and for each run (name, mean, rank) by people and by these judges."""

    signs: list[tuple[str, SafeString]]
    rows: list[tuple[RunRow, list[tuple[str, str, str]]]]


def _run_part(rows: list[RunRow], signs: list[tuple[str, SafeString]], start: int) -> RunPart:
    names = "People", *(name for name, _ in signs)
    places = 0, *range(start + 1, start + 1 + len(signs))
    of_rows = [
        (row, [(name, *row.cells[place]) for name, place in zip(names, places, strict=True)]) for row in rows
    ]
    return RunPart(signs, of_rows)


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


def _run_row(table: Table, record: dict[str, Cell], names: list[str], *, is_in: bool) -> RunRow:
    texts = {column.name: column.text(record[column.name]) for column in table.columns}
    cells = tuple((texts[name], texts[f"rank, {name}"]) for name in names)
    return RunRow(texts["run"], texts["team"], is_in, cells)


def _sign(series: str) -> SafeString:
    return mark_safe(sign_svg(series))  # noqa: S308 - drawn by core/figures
