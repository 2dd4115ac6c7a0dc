"""Further pages of a report: one section, the whole report for print, and a standalone file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.contrib.staticfiles import finders
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from evaluation.reports.choice import chosen, shared_query
from evaluation.reports.files import FORMS, find_shown_report
from evaluation.reports.shown import ShownReport
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from django.http import HttpRequest

    from evaluation.reports.models import Report
    from evaluation.reports.sections import SectionLink, ShownSection

SHEETS = ("base", "layout", "states", "tables", "charts", "report")


@dataclass(frozen=True)
class SectionPage:
    """One section of a report, read when the page has no cached copy."""

    shown: ShownReport
    name: str

    @property
    def title(self) -> str:
        """The section's heading."""
        return next(each.title for each in self.shown.links if each.name == self.name)

    @property
    def shown_section(self) -> ShownSection | None:
        """The section of the page."""
        return self.shown.section(self.name)

    @property
    def next(self) -> SectionLink | None:
        """The section after it; None after the last."""
        return self.shown.neighbour(self.name)


@require_safe
def report_section(request: HttpRequest, track: str, task: str, section: str) -> HttpResponse:
    """Show one section: its figures, its tables, and the list of all sections."""
    context = _context(request, track, task)
    if section not in context["names"]:
        raise Http404
    context |= {"section": section, "page": SectionPage(context["shown"], section)}
    return render(request, "evaluation/reports/report_section.html", context)


@require_safe
def report_whole(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show all sections on one page, which prints as a document."""
    return render(request, "evaluation/reports/report_whole.html", _context(request, track, task))


@require_safe
def report_file(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Send the whole report as one HTML file, which needs no other file and no network."""
    context = _context(request, track, task) | {"styles": _styles()}
    content = render_to_string("evaluation/reports/report_file.html", context, request)
    name = f"{track}-{task}-report.html"
    return HttpResponse(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _context(request: HttpRequest, track: str, task: str) -> dict[str, Any]:
    report = find_shown_report(request, track, task)
    measure, family = chosen(request.GET, report.facts)
    shown = ShownReport(report, measure, family)
    return {
        "task": report.task,
        "report": report,
        "facts": report.facts,
        "shown": shown,
        "names": section_names(report),
        "measure": measure,
        "family": family,
        "forms": FORMS,
        "query": shared_query(report, measure, family),
        "is_organizer": Task.objects.organized_by(request.user).contains(report.task),
    }


def section_names(report: Report) -> list[str]:
    """Return the names of the report's sections, in their order; the database reads no more of them."""
    names = type(report).objects.filter(pk=report.pk).section_names()
    return [name for name in names if name != "in-short"]


@lru_cache(maxsize=1)
def _styles() -> SafeString:
    """Return the text of the pages' style sheets, to include it in a standalone file."""
    sheets = [*map(_sheet, SHEETS), f"@media print {{\n{_sheet('print')}}}"]
    return mark_safe("\n".join(sheets))  # noqa: S308 - our own files


def _sheet(name: str) -> str:
    return Path(str(finders.find(f"trackside/{name}.css"))).read_text()
