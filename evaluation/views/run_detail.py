"""One upload: its check while that runs, then the verdict and, after the release, the values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.actions.edit_run import may_edit
from evaluation.core.figures.bars import bars
from evaluation.core.run_checks import FaultCode
from evaluation.models import Family, Run, RunState, SubmissionQuestion, Task, Team
from evaluation.views.finding import find_run, find_task
from evaluation.views.run_values import read_values

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest

    from evaluation.models import User

NOTHING_NEW = 204


@require_safe
def run_detail(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Show a run; a page that polls is told to load anew once the check is done."""
    found = find_run(request, track, task, run)
    is_checking = found.state == RunState.RECEIVED
    if request.headers.get("HX-Request"):
        return HttpResponse(status=NOTHING_NEW) if is_checking else HttpResponseClientRefresh()
    of_task = find_task(request, track, task)
    context = {
        "task": of_task,
        "run": found,
        "is_checking": is_checking,
        "families": Family.objects.visible_to(request.user).filter(runs=found),
        "offers_file": shows_upload(request.user, found) or is_published(request.user, found),
        "values": read_values(of_task, found, request.user, request.GET),
    }
    if shows_upload(request.user, found):
        context |= _upload(found)
    return render(request, "evaluation/run_detail.html", context)


def shows_upload(person: User | AnonymousUser, run: Run) -> bool:
    """Whether the person may see the file and its verdict: the run's team and the task's organizers."""
    return (
        Team.objects.of_member(person).filter(pk=run.team_id).exists()
        or Task.objects.organized_by(person).filter(pk=run.task_id).exists()
    )


def is_published(person: User | AnonymousUser, run: Run) -> bool:
    """Whether the track publishes its runs and this one is released to the person."""
    return Run.objects.published_to(person).filter(pk=run.pk).exists()


def _upload(run: Run) -> dict[str, Any]:
    context: dict[str, Any] = {
        "shows_upload": True,
        "may_withdraw": run.state == RunState.ACCEPTED,
        "may_edit": may_edit(run),
        "replies": _replies(run),
        "versions": _versions(run),
    }
    if run.verdict:
        summary = run.verdict["summary"]
        ties = (fault for fault in run.verdict["warnings"] if fault["code"] == FaultCode.TIED_SCORES)
        context |= {"verdict": run.verdict, "summary": summary, "ties": next(ties, None)}
        context |= _sizes(summary["results"])
    return context


def _replies(run: Run) -> list[tuple[str, str]]:
    """Each question that was answered, and the reply."""
    questions = SubmissionQuestion.objects.filter(task=run.task_id, name__in=run.replies)
    return [(question.text, run.replies[question.name]) for question in questions]


def _versions(run: Run) -> list[Run]:
    """The team's accepted uploads of the run's tag, the newest first; none where it is the only one."""
    of_tag = Run.objects.filter(task=run.task_id, team=run.team_id, tag=run.tag).exclude(tag="")
    found = list(of_tag.order_by("-received_at"))
    return found if len(found) > 1 else []


def _sizes(results: list[tuple[str, int]]) -> dict[str, Any]:
    sizes = sorted(count for _, count in results)
    if not sizes:
        return {}
    return {"least": sizes[0], "most": sizes[-1], "middle": sizes[len(sizes) // 2], "bars": bars(results)}
