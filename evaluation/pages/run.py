"""The page of an upload: its check, then the verdict and, after the release, the values."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.access.people import User
from evaluation.runs.editing import REASON_MAX, may_edit, may_withdraw
from evaluation.runs.families import Family
from evaluation.runs.lookups import find_run, is_published, shows_upload
from evaluation.runs.models import Run, RunState
from evaluation.runs.notes import NOTE_MAX, RunNote
from evaluation.runs.receiving import may_submit
from evaluation.runs.submission import SubmissionQuestion
from evaluation.topic_pages.lookups import visible_topics
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from evaluation.values.run_values import read_values
from trackside.checks import FaultCode, Verdict
from trackside.figures.svg.bars import counts_svg

NOTHING_NEW = 204


@require_safe
def run_detail(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Show a run; answer htmx polls with 204, or with a page reload when the check is done."""
    task_run = find_run(request, track, task, run)
    is_checking = task_run.state == RunState.RECEIVED
    if request.headers.get("HX-Request"):
        return HttpResponse(status=NOTHING_NEW) if is_checking else HttpResponseClientRefresh()
    of_task = find_task(request, track, task)
    context = {
        "task": of_task,
        "run": task_run,
        "is_checking": is_checking,
        "families": Family.objects.visible_to(request.user).filter(runs=task_run),
        "offers_file": shows_upload(request.user, task_run) or is_published(request.user, task_run),
        "values": read_values(of_task, task_run, request.user, request.GET),
    }
    if shows_upload(request.user, task_run):
        context |= _upload(task_run, request.user)
    return render(request, "evaluation/pages/run_detail.html", context)


def _upload(run: Run, person: User | AnonymousUser) -> dict[str, Any]:
    is_organizer = Task.objects.organized_by(person).contains(run.task)
    context: dict[str, Any] = {
        "shows_upload": True,
        "may_recheck": is_organizer,
        "first_topic": _first_topic(run, person),
        "may_withdraw": may_withdraw(person, run),
        "reason_max": REASON_MAX if is_organizer else None,
        "may_edit": may_edit(run),
        "may_confirm": isinstance(person, User) and may_submit(person, run.team, run.task),
        "replies": _replies(run),
        "versions": _versions(run),
        "notes": RunNote.objects.visible_to(person).filter(run=run).select_related("written_by"),
        "note_max": NOTE_MAX if is_organizer else None,
    }
    if run.verdict:
        verdict = run.verdict.content
        ties = (fault for fault in verdict["warnings"] if fault["code"] == FaultCode.TIED_SCORES)
        context |= {"verdict": verdict, "summary": verdict["summary"], "ties": next(ties, None)}
        context["ids"] = Verdict.from_json(verdict).ids
        if results := verdict["summary"]["results"]:
            context["results_svg"] = counts_svg(
                results,
                name="results",
                title="Results for each topic",
                desc="One bar a topic; its height is the number of results.",
            )
    return context


def _first_topic(run: Run, person: User | AnonymousUser) -> int | None:
    """Return the primary key of the first topic whose page shows the run's results to the person."""
    if run.state != RunState.ACCEPTED or not Task.objects.explored_by(person).contains(run.task):
        return None
    return visible_topics(run.task, person).values_list("pk", flat=True).first()


def _replies(run: Run) -> list[tuple[str, str]]:
    """Return (question, reply) of each answered question."""
    questions = SubmissionQuestion.objects.filter(task=run.task_id, name__in=run.replies)
    return [(question.text, run.replies[question.name]) for question in questions]


def _versions(run: Run) -> list[Run]:
    """Return the team's accepted uploads of the run's tag, newest first; empty if there is only one."""
    of_tag = Run.objects.filter(task=run.task_id, team=run.team_id, tag=run.tag).exclude(tag="")
    versions = list(of_tag.order_by("-received_at"))
    return versions if len(versions) > 1 else []
