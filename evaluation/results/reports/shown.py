"""What a report's pages show for a measure and a family: rows, figures, sections, pictures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse

from evaluation.collections.models import Document
from evaluation.platform.access.people import User
from evaluation.results.reports.choice import chosen, shared_query
from evaluation.results.reports.files import FORMS
from evaluation.results.reports.first_page import JudgePanel, RunRow, UsesTable, judge_panels, run_rows
from evaluation.results.reports.models import Report
from evaluation.results.reports.passports import passport_addresses
from evaluation.results.reports.sections import ShownSection, ShownTable, shown_section, shown_table
from trackside.figures.series import series_classes
from trackside.findings.results import DifferFinding, TwiceGraded
from trackside.reporting.findings import Findings, ReportFacts
from trackside.reporting.tables import Section
from trackside.reporting.views.first_page import FirstPage, first_page
from trackside.reporting.writers.stored import from_json, old_sections


@dataclass(frozen=True)
class ShownReport:
    """The values of the pages' parts, computed on first use: a report never changes, so parts are cached."""

    report: Report
    measure: str
    family: str | None
    section_name: str = ""

    @property
    def facts(self) -> ReportFacts:
        """What holds for every number."""
        return self.report.summary.facts

    @cached_property
    def page(self) -> FirstPage:
        """Lead, rows, paragraph and limit."""
        return first_page(self.report.summary)

    @cached_property
    def table(self) -> UsesTable:
        """The table of uses: a row a judge, people first."""
        return UsesTable(self.page, self.series, passport_addresses(self.report))

    @cached_property
    def panels(self) -> list[JudgePanel]:
        """The scatters of the first judges of the table."""
        return judge_panels(self.report.summary, self.measure, self.family)

    @property
    def runs(self) -> list[RunRow]:
        """The runs by people's mean, best first; runs without a mean come last."""
        return run_rows(self.report.summary, self.measure, self.family)

    @property
    def family_run_count(self) -> int:
        """Number of the family's runs."""
        return sum(self.family in run.families for run in self.facts.runs)

    @cached_property
    def series(self) -> dict[str, str]:
        """Class of each set of qrels by its name: a judge's colour, mark and dash."""
        return series_classes((graded.name, graded.kind, graded.joined) for graded in self.facts.qrels)

    @cached_property
    def findings(self) -> Findings:
        """All findings, with the sections."""
        return from_json(self.report.stored)

    @property
    def table_count(self) -> int:
        """Number of tables."""
        return len(self.findings.tables())

    @property
    def sections(self) -> Iterator[ShownSection]:
        """All sections, for one page."""
        return (self._shown(section) for section in self.findings.sections)

    @cached_property
    def section(self) -> ShownSection:
        """The section of the page."""
        return self._shown(self._from_here[0])

    @property
    def next(self) -> Section | None:
        """The section after it; None after the last."""
        return next(iter(self._from_here[1:]), None)

    @property
    def _from_here(self) -> list[Section]:
        return list(dropwhile(lambda section: section.name != self.section_name, self.findings.sections))

    def _shown(self, section: Section) -> ShownSection:
        task = self.report.task
        topics = settings.SITE_URL + reverse("topic_list", args=[task.track.slug, task.slug])
        return shown_section(section, self.series, measure=self.measure, family=self.family, topics=topics)


def old_tables(report: Report) -> Iterator[tuple[Section, list[ShownTable]]]:
    """Yield each section of a report of older software with its tables that have rows, as stored."""
    for section in old_sections(report.stored):
        yield section, [shown_table(table, {}) for table in section.tables if table.rows]


def shown_context(request: HttpRequest, report: Report, section: str = "") -> dict[str, Any]:
    """Return what every page of a report needs, for the measure and family in the URL."""
    measure, family = chosen(request.GET, report.summary)
    return {
        "report": report,
        "facts": report.summary.facts,
        "shown": ShownReport(report, measure, family, section),
        "section": section,
        "measure": measure,
        "family": family,
        "forms": FORMS,
        "query": shared_query(request, report, measure, family),
    }


MOST_PICTURES = 24  # on a page
MOST_SMALL = 3  # beside the link to the page
BEGINNING = 160  # characters of a text


@dataclass(frozen=True)
class ShownPair:
    """A topic and a document with both grades; ``image`` is the picture's SHA-256, empty for a text."""

    pair: TwiceGraded
    image: str = ""
    image_count: int = 0
    text: str = ""


@dataclass(frozen=True)
class ShownDiffer:
    """The pairs on which one judge differs most from people."""

    name: str
    differ: DifferFinding
    pairs: list[ShownPair]


def shown_differ(report: Report, user: User | AnonymousUser) -> list[ShownDiffer]:
    """Return the pairs of each judge, with as much of the documents as the person may see."""
    judges = [judge for judge in report.summary.judges if judge.differs.pairs]
    share = max(1, MOST_PICTURES // len(judges)) if judges else 0
    documents = _documents(report, user, [pair for judge in judges for pair in judge.differs.pairs[:share]])
    differs = []
    for judge in judges[:MOST_PICTURES]:
        pairs = [_shown(pair, documents) for pair in judge.differs.pairs[:share]]
        differs.append(ShownDiffer(judge.name, judge.differs, pairs))
    return differs


def small_pictures(report: Report, user: User | AnonymousUser) -> list[str]:
    """Return the images of the first pairs that have a picture the person may see."""
    pairs = [pair for judge in report.summary.judges[:1] for pair in judge.differs.pairs[:MOST_PICTURES]]
    documents = _documents(report, user, pairs)
    images = (_shown(pair, documents).image for pair in pairs)
    return list(dict.fromkeys(image for image in images if image))[:MOST_SMALL]


def _documents(
    report: Report, user: User | AnonymousUser, pairs: Iterable[TwiceGraded]
) -> Mapping[str, Document]:
    docnos = {pair.docno for pair in pairs}
    if not docnos:
        return {}
    known = Document.objects.visible_to(user).filter(collection=report.task.collection_id, docno__in=docnos)
    return {document.docno: document for document in known.only("docno", "fields", "image", "more_images")}


def _shown(pair: TwiceGraded, documents: Mapping[str, Document]) -> ShownPair:
    document = documents.get(pair.docno)
    if document is None:
        return ShownPair(pair)
    return ShownPair(pair, document.image_id or "", document.image_count, _beginning(document.summary))


def _beginning(text: str) -> str:
    return text if len(text) <= BEGINNING else f"{text[:BEGINNING].rsplit(' ', 1)[0]} …"
