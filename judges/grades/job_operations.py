"""Jobs of operations, and their page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from judges.jobs.models import Job

if TYPE_CHECKING:
    from evaluation.operations.models import Operation


def describe_job(job: Job) -> str:
    """Return judge and number of the job, as ``about`` of its operations."""
    return f"{job.judge}, job {job.pk}"


def find_job_of(operation: Operation) -> Job:
    """Return the job of an operation on its grades."""
    return Job.objects.select_related("judge", "pool__task__track").get(pk=operation.options["job"])


def page_of_job(operation: Operation) -> str:
    """Return the address of the job's page."""
    place = [operation.task.track.slug, operation.task.slug]
    return reverse("job_detail", args=[*place, operation.options["job"]])
