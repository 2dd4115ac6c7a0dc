"""The first page of the report: agreement of models and second assessors with people."""

from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.qrels.shares import JudgedShare, judged_share
from evaluation.reports.actions import find_report
from evaluation.reports.choice import asked_choice, choice_form, chosen
from evaluation.reports.files import find_shown_report
from evaluation.reports.models import Report
from evaluation.reports.pictures import small_pictures
from evaluation.reports.shown import old_tables, shown_context
from evaluation.reports.versions import versions
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from evaluation.work.recomputing.models import ReportProgress
from trackside.reporting.choice import Choice

COUNT_LASTS = 10  # seconds in the cache


@dataclass(frozen=True)
class FoundReport:
    """The report to show, if any, and the progress or problem of a newer one, which may be asked for."""

    report: Report | None
    progress: ReportProgress | None = None
    parked: ReportProgress | None = None
    problem: str = ""
    can_be_asked: bool = False


@require_safe
def report_detail(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show the report of the choice or version in the URL; a form requests one, then the page polls."""
    track_task = find_task(request, track, task)
    reports = Report.objects.visible_to(request.user).filter(task=track_task)
    whole = reports.whole().select_related("reference").defer("sections").order_by("-computed_at").first()
    if whole is None:
        return _empty(request, track_task)
    whole.task = track_task
    if "of" in request.GET:
        return _version(request, find_shown_report(request, track, task), whole)
    state = _find(request, whole, asked_choice(request.GET, track_task, whole))
    if request.headers.get("HX-Request"):
        if state.progress is None:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/reports/report_progress.html", {"progress": state.progress})
    context = _context(request, whole) | {
        "progress": state.progress,
        "problem": state.problem,
        "can_be_asked": state.can_be_asked,
        "asked": request.GET.urlencode(),
        "parked": state.parked,
    }
    if state.report is None:
        return render(request, "evaluation/reports/report_waiting.html", context)
    return _page(request, state.report, context | {"judged": _judged(state.report)})


def _version(request: HttpRequest, report: Report, whole: Report) -> HttpResponse:
    latest = None if report.choice or report == whole else whole
    return _page(request, report, _context(request, whole) | {"latest": latest})


def _context(request: HttpRequest, whole: Report) -> dict[str, Any]:
    """Return the form, which is about the latest whole report, and what the page needs without a report."""
    context = {
        "task": whole.task,
        "is_organizer": Task.objects.organized_by(request.user).contains(whole.task),
    }
    if whole.is_old:
        return context
    facts = whole.summary.facts
    measure, family = chosen(request.GET, whole.summary)
    form = choice_form(request.GET, whole.task, facts, measure)
    return context | {"form": form, "facts": facts, "measure": measure, "family": family}


def _page(request: HttpRequest, report: Report, context: dict[str, Any]) -> HttpResponse:
    reports = Report.objects.visible_to(request.user).filter(task=report.task)
    since = None if context["is_organizer"] else report.task.releases_at
    context |= {"report": report, "versions": versions(reports, since=since)}
    if report.is_old:
        return render(request, "evaluation/reports/report_old.html", context | {"old": old_tables(report)})
    context |= shown_context(request, report) | {"pictures": small_pictures(report, request.user)}
    return render(request, "evaluation/reports/report_detail.html", context)


def _empty(request: HttpRequest, task: Task) -> HttpResponse:
    if not Task.objects.organized_by(request.user).contains(task):
        raise Http404
    rows = ReportProgress.objects.filter(task=task, choice={})
    context = {
        "task": task,
        "progress": rows.pending().first(),
        "parked": rows.parked().first(),
        "is_organizer": True,
    }
    name = "report_progress" if request.headers.get("HX-Request") else "report_empty"
    return render(request, f"evaluation/reports/{name}.html", context)


def _find(request: HttpRequest, whole: Report, choice: Choice) -> FoundReport:
    """Return the state of the choice; show the latest whole report while a newer one is computed."""
    current = find_report(task=whole.task, choice=choice)
    if isinstance(current, Report):
        return FoundReport(whole if current == whole else current)  # reuse the loaded row
    instead = whole if choice.is_all else None
    if current:
        return FoundReport(instead, problem=current.problem)
    work = ReportProgress.objects.filter(task=whole.task, choice_sha256=choice.sha256)
    waiting, parked = work.pending().first(), work.parked().first()
    return FoundReport(instead, waiting, parked, can_be_asked=not (waiting or parked))


def _judged(report: Report) -> JudgedShare:
    """Return the progress of judging, cached for COUNT_LASTS seconds because pools are large."""
    counted = partial(judged_share, report.task, report.reference)
    return cast("JudgedShare", caches["pages"].get_or_set(f"judged-{report.pk}", counted, COUNT_LASTS))
