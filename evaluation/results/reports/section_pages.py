"""Further pages of a report: one section, all tables, the whole report for print, and a standalone file."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from evaluation.platform.access.people import organizes
from evaluation.results.reports.files import find_current_report
from evaluation.results.reports.shown import shown_context, shown_differ
from evaluation.results.values.leaderboard import as_file
from trackside.reporting.findings import Findings
from trackside.reporting.tables import Section, Table

DIFFERENCES = "differences"  # the section with the pictures of pairs
SHEETS = ("base", "layout", "states", "tables", "charts", "report")


@require_safe
def report_section(request: HttpRequest, track: str, task: str, section: str) -> HttpResponse:
    """Show one section: its figures, its tables, and the list of all sections."""
    context = _context(request, track, task, section)
    report = context["report"]
    if section not in {part.name for part in context["shown"].findings.sections}:
        raise Http404
    if section == DIFFERENCES:
        context["differ"] = shown_differ(report, request.user)
    return render(request, "evaluation/reports/report_section.html", context)


@require_safe
def report_tables(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """List all tables by section, or those with the words of ``q`` in their names, captions or columns."""
    context = _context(request, track, task)
    words = request.GET.get("q", "")
    context |= {"words": words, "listed": _listed(context["shown"].findings, words.casefold().split())}
    return render(request, "evaluation/reports/report_tables.html", context)


def _listed(findings: Findings, words: Sequence[str]) -> list[tuple[Section, list[Table]]]:
    """Return the sections with their tables that have all words."""
    listed = [
        (section, [table for table in section.tables if _has(section, table, words)])
        for section in findings.sections
    ]
    return [(section, tables) for section, tables in listed if tables]


def _has(section: Section, table: Table, words: Sequence[str]) -> bool:
    names = section.title, table.name, table.caption, *(column.name for column in table.columns)
    text = " ".join(names).casefold()
    return all(word in text for word in words)


@require_safe
def report_whole(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show all sections on one page, which prints as a document."""
    return render(request, "evaluation/reports/report_whole.html", _context(request, track, task))


@require_safe
def report_file(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Send the whole report as one HTML file, which needs no other file and no network."""
    context = _context(request, track, task) | {"styles": _styles()}
    content = render_to_string("evaluation/reports/report_file.html", context, request)
    return as_file(content, "text/html", f"{track}-{task}-report.html")


def _context(request: HttpRequest, track: str, task: str, section: str = "") -> dict[str, Any]:
    report = find_current_report(request, track, task)
    return shown_context(request, report, section) | {
        "task": report.task,
        "is_organizer": organizes(request.user, report.task.track_id),
    }


@lru_cache(maxsize=1)
def _styles() -> SafeString:
    """Return the text of the pages' style sheets, to include it in a standalone file."""
    sheets = [*map(_sheet, SHEETS), f"@media print {{\n{_sheet('print')}}}"]
    return mark_safe("\n".join(sheets))  # noqa: S308 - our own files


def _sheet(name: str) -> str:
    return Path(str(finders.find(f"trackside/{name}.css"))).read_text()
