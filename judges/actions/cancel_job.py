"""Stop a job."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.models import Job, JobState

logger = logging.getLogger(__name__)


class JobIsOver(InputError):
    """The job has ended by itself or was cancelled before."""


@transaction.atomic
def cancel_job(*, job: Job, by: User) -> None:
    """Stop a job that still works; workers see it before they store their next batch. Raises JobIsOver."""
    if not Job.objects.unfinished().filter(pk=job.pk).update(state=JobState.CANCELLED, finished_at=Now()):
        raise JobIsOver(f"{job}: the job is over, so there is nothing to cancel.")
    with bound(job=job.pk, user=by.pk):
        logger.info("job cancelled")
