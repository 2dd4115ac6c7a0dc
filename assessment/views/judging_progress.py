"""The organizers' page on judging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assessment.forms import PublishForm
from assessment.views.progress import progress_by_assessor, progress_by_topic
from evaluation.models import Membership, Pool, PoolKind, Qrels, QrelsKind, Role
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_safe
def judging_progress(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show who has judged how much, and the ways to assign topics and to publish."""
    found = find_organized_task(request, track, task)
    people = [QrelsKind.HUMAN, QrelsKind.SECOND]
    assessors = Membership.objects.filter(track=found.track, role=Role.ASSESSOR, user__is_active=True)
    context = {
        "task": found,
        "assessors": progress_by_assessor(found),
        "topics": progress_by_topic(found),
        "has_pool": Pool.objects.filter(task=found).exists(),
        "has_assessors": assessors.exists(),
        "has_sample": Pool.objects.filter(task=found, kind=PoolKind.SAMPLE).exists(),
        "publish_form": PublishForm(),
        "qrels": Qrels.objects.filter(task=found, kind__in=people).current(),
    }
    return render(request, "assessment/judging_progress.html", context)
