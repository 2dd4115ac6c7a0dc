"""The report: how near models and second assessors come to people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from django.core.cache import caches
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.actions.ask_report import ask_report
from evaluation.actions.find_report import find_report
from evaluation.core.errors import InputError
from evaluation.core.report.choice import Choice
from evaluation.models import Report, ReportProgress, Task
from evaluation.panels import judged_share
from evaluation.views.finding import find_task
from evaluation.views.report_choice import choice_form
from evaluation.views.report_shown import ShownReport

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from evaluation.panels import JudgedShare

FORMS = (("csv", "CSV"), ("json", "JSON"), ("tex", "LaTeX"))
COUNT_LASTS = 10  # seconds


@dataclass(frozen=True)
class Found:
    """The report to show, if there is one, how far another is that takes its place, and what is wrong."""

    report: Report | None
    progress: ReportProgress | None = None
    problem: str = ""


@require_safe
def report_detail(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show the report of the runs and topics in the address, for the measure and the family in it.

    One that is not there yet is queued, and the page, or the part of it that asks again, says how far it is.
    """
    found = find_task(request, track, task)
    reports = Report.objects.visible_to(request.user).filter(task=found)
    whole = reports.whole().select_related("reference").defer("body").order_by("-computed_at").first()
    if whole is None:
        return _empty(request, found)
    whole.task = found
    measure = _choice(request, "measure", whole.content["measures"])
    form = choice_form(request.GET, found, whole.content, measure)
    state = _find(request, whole, form.choice)
    if request.headers.get("HX-Request"):
        if state.progress is None:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/report_progress.html", {"progress": state.progress})
    context = {
        "task": found,
        "form": form,
        "measure": measure,
        "progress": state.progress,
        "problem": state.problem,
    }
    if state.report is None:
        context |= {"content": whole.content, "family": request.GET.get("family")}
        return render(request, "evaluation/report_waiting.html", context)
    return render(request, "evaluation/report_detail.html", context | _shown(request, state.report, measure))


def _empty(request: HttpRequest, task: Task) -> HttpResponse:
    if not Task.objects.organized_by(request.user).contains(task):
        raise Http404
    progress = ReportProgress.objects.waiting().filter(task=task, choice={}).first()
    name = "report_progress" if request.headers.get("HX-Request") else "report_empty"
    return render(request, f"evaluation/{name}.html", {"task": task, "progress": progress})


def _find(request: HttpRequest, whole: Report, choice: Choice) -> Found:
    """What there is of the choice; the latest whole report stands in while it is computed anew."""
    current = find_report(task=whole.task, choice=choice)
    if isinstance(current, Report):
        return Found(whole if current == whole else current)  # that one's content is here already
    instead = whole if choice.is_all else None
    if current:
        return Found(instead, problem=current.problem)
    if not (choice.is_all or request.user.is_authenticated):
        return Found(None, problem="Nobody has asked for this choice yet. Sign in to have it computed.")
    try:
        return Found(instead, ask_report(task=whole.task, choice=choice))
    except InputError as error:
        return Found(instead, problem=str(error))


def _shown(request: HttpRequest, report: Report, measure: str) -> dict[str, Any]:
    content = report.content
    family = _choice(request, "family", content["families"]) if content["families"] else None
    return {
        "report": report,
        "shown": ShownReport(report, measure, family),
        "forms": FORMS,
        "is_organizer": Task.objects.organized_by(request.user).contains(report.task),
        "judged": _judged(report),
        "content": content,
        "family": family,
    }


def _judged(report: Report) -> JudgedShare:
    """How far the judging is; each process counts anew after some seconds, for pools are large."""
    counted = partial(judged_share, report.task, report.reference)
    return cast("JudgedShare", caches["pages"].get_or_set(f"judged-{report.pk}", counted, COUNT_LASTS))


def _choice(request: HttpRequest, name: str, choices: list[str]) -> str:
    """What the address asks for, or the first choice where it asks for nothing there is."""
    wanted = request.GET.get(name)
    return wanted if wanted in choices else choices[0]
