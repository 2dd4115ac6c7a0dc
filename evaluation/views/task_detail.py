"""One task: what it asks, its dates, and what each role does next."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models.functions import Now
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evaluation.core.figures.timeline import Stretch, timeline
from evaluation.models import Pool, Qrels, QrelsKind, Run, RunState, Task, Team
from evaluation.panels import panels_for
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, HttpResponse

    from evaluation.core.figures.timeline import Timeline
    from evaluation.models import User
    from evaluation.models.run import RunQuerySet


@require_safe
def task_detail(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show the organizers' dashboard, a team's own runs or the public description."""
    found = find_task(request, track, task)
    context = {
        "task": found,
        "takes_runs": Task.objects.taking_runs_at(Now()).contains(found),
        "topic_count": found.topics.active().count(),
        "draft_topic_count": found.topics.drafts().count(),
        "document_count": found.collection.documents.count(),
        "panels": panels_for(found, request.user) if request.user.is_authenticated else [],
    }
    if Task.objects.organized_by(request.user).contains(found):
        context |= _dashboard(found)
    else:
        context |= _own_runs(found, request.user)
    return render(request, "evaluation/task_detail.html", context)


def _dashboard(task: Task) -> dict[str, Any]:
    runs = Run.objects.filter(task=task)
    qrels = Qrels.objects.filter(task=task).current()
    accepted = runs.accepted()
    return {
        "is_organizer": True,
        "teams": Team.objects.filter(track=task.track).with_submissions(task),
        "accepted_count": accepted.count(),
        "baseline_count": accepted.filter(team__is_baseline=True).count(),
        "checking_count": runs.filter(state="received").count(),
        "late_count": runs.filter(is_late=True).count(),
        "faults": _faults(runs),
        "pools": Pool.objects.filter(task=task).with_size(),
        "human_qrels": [each for each in qrels if each.kind != QrelsKind.MODEL],
        "model_qrels": [each for each in qrels if each.kind == QrelsKind.MODEL],
        "timeline": _timeline(task),
        "report": task.reports.order_by("-computed_at").first(),
    }


def _faults(runs: RunQuerySet) -> list[tuple[str, int, int]]:
    """Title, uploads and lines of each kind of fault that stopped an upload, the most frequent first."""
    uploads: Counter[str] = Counter()
    found: Counter[str] = Counter()
    titles = {}
    rejected = runs.filter(state=RunState.REJECTED).values_list("verdict__faults", flat=True)
    for fault in (fault for faults in rejected for fault in faults):
        titles[fault["code"]] = fault["title"]
        uploads[fault["code"]] += 1
        found[fault["code"]] += fault["count"]
    return [(titles[code], count, found[code]) for code, count in uploads.most_common()]


def _timeline(task: Task) -> Timeline | None:
    stretches = [
        Stretch(name, start, end)
        for name, start, end in (
            ("Submissions", task.opens_at, task.closes_at),
            ("Judging", task.judging_at, task.releases_at),
        )
        if start and end
    ]
    return timeline(stretches, now=timezone.now()) if stretches else None


def _own_runs(task: Task, user: User | AnonymousUser) -> dict[str, Any]:
    teams = Team.objects.filter(track=task.track).of_member(user)
    runs = Run.objects.visible_to(user).filter(task=task, team__in=teams).select_related("team")
    return {"is_organizer": False, "teams": teams, "runs": runs.order_by("-received_at")}
