"""An assessor's own topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.actions.find_training import find_training
from assessment.core.digest import make_digest
from assessment.models import Assignment, JudgingPlan, Slot
from assessment.views.screen import day_line
from evaluation.models import Phase, Task, Topic

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse

    from assessment.models import AssignmentQuerySet
    from evaluation.models import Pool, User
    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_safe
def judging_list(request: SignedInRequest) -> HttpResponse:
    """List the person's assignments by task, with progress and the way on."""
    own = Assignment.objects.held_by(request.user)
    queued = Slot.objects.queued_pools(request.user)
    tasks = Task.objects.filter(Q(pools__assignments__in=own) | Q(pools__in=queued)).distinct()
    sections = [
        _section(task, own.filter(pool__task=task), queued.filter(task=task), request.user)
        for task in tasks.with_phase().select_related("track").order_by("-judging_at", "pk")
    ]
    context = {"sections": sections, "today": day_line(request.user)}
    return render(request, "assessment/judging_list.html", context)


def _section(
    task: Task, assignments: AssignmentQuerySet, queued: QuerySet[Pool], assessor: User
) -> dict[str, Any]:
    topics = {topic.number: topic for topic in Topic.objects.filter(task=task).select_related("image")}
    rows = list(assignments.with_progress().order_by("pool__created_at", "topic"))
    return {
        "task": task,
        "rows": [(row, topics[row.topic], make_digest(topics[row.topic].fields)) for row in rows],
        "judged_count": sum(row.judged_count for row in rows),
        "item_count": sum(row.item_count for row in rows),
        "queued": queued if task.phase == Phase.JUDGING else [],
        "training": find_training(task=task, assessor=assessor),
        "lease_minutes": JudgingPlan.objects.of(task).lease_minutes,
    }
