"""Return the job of a URL, or raise 404 if the user may not see it."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from evaluation.tracks.lookups import find_organized_task
from judges.jobs.models import Job


def find_job(request: HttpRequest, track: str, task: str, job: int) -> Job:
    """Return the job of that task with its progress, if the user organizes the task; else raise 404."""
    jobs = Job.objects.visible_to(request.user).with_progress().select_related("judge", "pool__task__track")
    return get_object_or_404(jobs, pool__task=find_organized_task(request, track, task), pk=job)
