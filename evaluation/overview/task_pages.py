"""The page of a task: description, dates, and next steps for each role."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models.functions import Now
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from evaluation.core.figures.timeline import Stretch, timeline
from evaluation.overview.work_pages import count_parked
from evaluation.panels import panels_for
from evaluation.pools.models import Pool
from evaluation.qrels.models import Qrels, QrelsKind
from evaluation.runs.models import Run, RunState
from evaluation.runs.submission import with_submissions
from evaluation.teams.models import Team
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, HttpResponse

    from evaluation.access.people import User
    from evaluation.core.figures.timeline import Timeline
    from evaluation.runs.models import RunQuerySet


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
    return render(request, "evaluation/overview/task_detail.html", context)


def _dashboard(task: Task) -> dict[str, Any]:
    runs = Run.objects.filter(task=task)
    qrels = Qrels.objects.filter(task=task).current()
    accepted = runs.accepted()
    return {
        "is_organizer": True,
        "teams": with_submissions(Team.objects.filter(track=task.track), task),
        "accepted_count": accepted.count(),
        "baseline_count": accepted.filter(team__is_baseline=True).count(),
        "checking_count": runs.filter(state="received").count(),
        "late_count": runs.filter(is_late=True).count(),
        "faults": _faults(runs),
        "pools": Pool.objects.filter(task=task).with_size(),
        "human_qrels": [each for each in qrels if each.kind != QrelsKind.MODEL],
        "model_qrels": [each for each in qrels if each.kind == QrelsKind.MODEL],
        "parked_count": count_parked(task),
        "timeline": _timeline(task),
        "report": task.reports.order_by("-computed_at").first(),
    }


def _faults(runs: RunQuerySet) -> list[tuple[str, int, int]]:
    """Return (title, uploads, lines) of each kind of fault in rejected uploads, most frequent first."""
    uploads: Counter[str] = Counter()
    found: Counter[str] = Counter()
    titles = {}
    rejected = runs.filter(state=RunState.REJECTED).values_list("verdict__content__faults", flat=True)
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
