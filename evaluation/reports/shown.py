"""What a report's pages show for a measure and a family: the first page's rows and figure, the sections."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from evaluation.core.figures.series import series_classes
from evaluation.core.report.views.first_page import first_page
from evaluation.core.report.writers.stored import from_json, old_sections
from evaluation.reports.panels import judge_panels
from evaluation.reports.rows import JudgesTable, run_rows
from evaluation.reports.sections import SectionLink, shown_section, shown_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.findings import Findings, ReportFacts
    from evaluation.core.report.tables import Section
    from evaluation.core.report.views.first_page import FirstPage
    from evaluation.reports.models import Report
    from evaluation.reports.panels import JudgePanel
    from evaluation.reports.rows import RunRow
    from evaluation.reports.sections import ShownSection, ShownTable


@dataclass(frozen=True)
class ShownReport:
    """The values of the pages' parts, computed on first use.

    A report never changes, so the pages cache their rendered parts and compute them once. The first page
    needs no section but for the list of them.
    """

    report: Report
    measure: str
    family: str | None

    @property
    def facts(self) -> ReportFacts:
        """What holds for every number."""
        return self.report.summary.facts

    @cached_property
    def page(self) -> FirstPage:
        """Lead, rows, paragraph and limit."""
        return first_page(self.report.summary, self.measure, self.family)

    @cached_property
    def table(self) -> JudgesTable:
        """The table that is a figure: a row a judge beside people."""
        return JudgesTable.of(self.page, self.facts, self.series)

    @cached_property
    def panels(self) -> list[JudgePanel]:
        """The scatters of the first judges of the table."""
        return judge_panels(self.report.summary, self.page)

    @property
    def runs(self) -> list[RunRow]:
        """The runs by people's mean, best first; runs without a mean come last."""
        return run_rows(self.report.summary, self.measure, self.family)

    @property
    def family_run_count(self) -> int:
        """Number of the family's runs."""
        return self.facts.run_count(self.family) if self.family else 0

    @cached_property
    def series(self) -> dict[str, str]:
        """Class of each set of qrels by its name: a judge's colour, mark and dash."""
        qrels = self.facts.qrels
        classes = series_classes([graded.kind for graded in qrels], [graded.joined for graded in qrels])
        return dict(zip((graded.name for graded in qrels), classes, strict=True))

    @cached_property
    def findings(self) -> Findings:
        """All findings, with the sections."""
        return from_json(self.report.stored)

    @property
    def links(self) -> list[SectionLink]:
        """All sections."""
        return [SectionLink(section.name, section.title) for section in self.findings.sections]

    @property
    def table_count(self) -> int:
        """Number of tables."""
        return len(self.findings.tables())

    @property
    def sections(self) -> Iterator[ShownSection]:
        """All sections, for one page."""
        return (self._shown(section) for section in self.findings.sections)

    def section(self, name: str) -> ShownSection | None:
        """Return the section of that name; None if the report has none."""
        section = next((section for section in self.findings.sections if section.name == name), None)
        return self._shown(section) if section else None

    def neighbour(self, name: str) -> SectionLink | None:
        """Return the section after the named one; None after the last."""
        names = [link.name for link in self.links]
        return next(iter(self.links[names.index(name) + 1 :]), None)

    def _shown(self, section: Section) -> ShownSection:
        return shown_section(section, self.series, measure=self.measure, family=self.family)


@dataclass(frozen=True)
class OldReport:
    """A report of older software: its sentences and tables as they were stored."""

    report: Report

    @property
    def sections(self) -> Iterator[tuple[Section, list[ShownTable]]]:
        """Each section with its tables that have rows."""
        for section in old_sections(self.report.stored):
            yield section, [shown_table(table, {}) for table in section.tables if table.rows]
