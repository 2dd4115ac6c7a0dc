"""How views fetch the job that an address names: visible to the person, or absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404

from evaluation.views.finding import find_organized_task
from judges.models import Job

if TYPE_CHECKING:
    from evaluation.views.finding import SignedInRequest


def find_job(request: SignedInRequest, track: str, task: str, job: int) -> Job:
    """The job of that number in that task with its progress, if the person organizes the task."""
    jobs = Job.objects.visible_to(request.user).with_progress().select_related("judge", "pool__task__track")
    return get_object_or_404(jobs, pool__task=find_organized_task(request, track, task), pk=job)
