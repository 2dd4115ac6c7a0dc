"""The first page of the report: agreement of models and second assessors with people, and its versions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, cast

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.platform.access.people import organizes
from evaluation.results.qrels.shares import JudgedShare, judged_share
from evaluation.results.reports.actions import find_report, third_choices
from evaluation.results.reports.choice import asked_choice, choice_form, chosen
from evaluation.results.reports.files import find_shown_report
from evaluation.results.reports.models import Report, ReportQuerySet
from evaluation.results.reports.shown import old_tables, shown_context, small_pictures
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from evaluation.tracks.work.recomputing.models import ReportProgress
from trackside.findings.plain import from_plain
from trackside.reporting.design import Choice
from trackside.reporting.findings import FORM, ReportFacts
from trackside.text.counted import counted

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
        "is_organizer": organizes(request.user, whole.task.track_id),
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
    if context["is_organizer"] and not context.get("latest") and not report.choice:
        context["third_choices"] = third_choices(report)
    return render(request, "evaluation/reports/report_detail.html", context)


def _empty(request: HttpRequest, task: Task) -> HttpResponse:
    if not organizes(request.user, task.track_id):
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


MOST_NAMED = 5  # runs


@dataclass(frozen=True)
class Version:
    """A stored report with its date; ``changes`` since the version before it, None for the first one."""

    pk: int
    computed_at: datetime
    changes: tuple[str, ...] | None


@dataclass(frozen=True)
class _Stored:
    """What the list of versions reads of a row; ``facts`` is None in a row of another form."""

    pk: int
    computed_at: datetime
    code_version: str
    facts: ReportFacts | None


def versions(reports: ReportQuerySet, *, since: datetime | None) -> list[Version]:
    """The versions of one task's whole report, latest first; readers see none older than at ``since``."""
    rows = reports.whole().order_by("computed_at", "pk")
    values = rows.values_list("pk", "computed_at", "code_version", "facts__form", "facts__facts")
    stored = [
        _Stored(pk, computed_at, code_version, _facts(form, facts))
        for pk, computed_at, code_version, form, facts in values
    ]
    if since:
        public_from = max((index for index, row in enumerate(stored) if row.computed_at <= since), default=0)
        stored = stored[public_from:]
    rows_with_last = zip([None, *stored], stored, strict=False)
    changes = ((row, tuple(_changes(before, row)) if before else None) for before, row in rows_with_last)
    return [Version(row.pk, row.computed_at, changed) for row, changed in changes][::-1]


def _facts(form: int | None, facts: Mapping[str, Any] | None) -> ReportFacts | None:
    return from_plain(ReportFacts, facts) if form == FORM and facts else None


def _changes(before: _Stored, after: _Stored) -> Iterator[str]:
    if before.facts and after.facts:
        yield from _changed_sets(before.facts, after.facts)
        tags = [{run.tag for run in facts.runs} for facts in (before.facts, after.facts)]
        yield from _changed_runs("added", tags[1] - tags[0])
        yield from _changed_runs("left out", tags[0] - tags[1])
        yield from _changed_runs("with other families or team", _redescribed(before.facts, after.facts))
    if before.code_version != after.code_version:
        yield f"software {after.code_version} instead of {before.code_version}"


def _changed_sets(before: ReportFacts, after: ReportFacts) -> Iterator[str]:
    old, new = ({graded.name: graded for graded in facts.qrels} for facts in (before, after))
    for name, graded in new.items():
        if name not in old:
            yield f"grades of {name} added ({counted(graded.graded_count, 'grade')})"
        elif graded.sha256 != old[name].sha256:
            yield (
                f"grades of {name}: version {graded.version} instead of {old[name].version} "
                f"({counted(graded.graded_count, 'grade')} instead of {old[name].graded_count:,})"
            )
    for name in old:
        if name not in new:
            yield f"grades of {name} left out"


def _changed_runs(verb: str, tags: Iterable[str]) -> Iterator[str]:
    names = sorted(tags)
    if names:
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        yield f"{counted(len(names), 'run')} {verb}: {', '.join(names[:MOST_NAMED])}{more}"


def _redescribed(before: ReportFacts, after: ReportFacts) -> set[str]:
    old, new = ({run.tag: (run.team, run.families) for run in facts.runs} for facts in (before, after))
    return {tag for tag in old.keys() & new.keys() if old[tag] != new[tag]}
