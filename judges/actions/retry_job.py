"""Try again what a job could not score."""

from __future__ import annotations

import logging

from django.db import transaction

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.actions.plan_job import plan_job
from judges.models import CallState, Job, JobState

logger = logging.getLogger(__name__)


class NothingToRetry(InputError):
    """The job has no gaps, or is not over yet."""


@transaction.atomic
def retry_job(*, job: Job, by: User) -> None:
    """Set the failed calls of a job waiting again and plan them anew; what has a score stays untouched.

    Items are read again, so a text or an image mended since counts. Raises NothingToRetry.
    """
    again = {"state": JobState.RUNNING, "finished_at": None}
    if not Job.objects.filter(pk=job.pk, state=JobState.COMPLETED_WITH_GAPS).update(**again):
        raise NothingToRetry(
            f"{job}: there is nothing to retry. Only a job that completed with gaps can be retried."
        )
    failed = job.calls.failed()
    count = failed.update(state=CallState.WAITING, outcome="", ended_at=None)
    with bound(job=job.pk, user=by.pk):
        logger.info("retrying %d calls", count)
    plan_job(job=job)
