"""Halt, pause, cancel and resume a job."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.work.queueing import enqueue
from judges.jobs.measuring import mail_end
from judges.jobs.models import Job, JobState
from judges.jobs.shards import ATTEMPTS, RequestFile, Shard

logger = logging.getLogger(__name__)


@transaction.atomic
def halt_job(*, job: Job, state: JobState, note: str) -> bool:
    """Pause an active job, or mark it as stopped by its budget; False if it is not active."""
    is_halted = bool(Job.objects.active().filter(pk=job.pk).update(state=state, note=note))
    if is_halted:
        mail_end(job_id=job.pk)
        with bound(job=job.pk):
            logger.warning("job halted: %s", note)
    return is_halted


def count_failure(*, shard: Shard, error: Exception) -> None:
    """Count an attempt that failed before the shard was claimed; pause the job after ``ATTEMPTS`` of them.

    Claims count their attempts themselves, and sweeping releases a claimed shard.
    """
    row = Shard.objects.open().filter(pk=shard.pk, claimed_at__isnull=True)
    row.update(attempt_count=F("attempt_count") + 1)
    if row.filter(attempt_count__gte=ATTEMPTS).exists():
        kind = type(error).__name__
        note = f"A shard failed {ATTEMPTS} times with {kind}. Read the worker's log, then resume the job."
        halt_job(job=shard.job, state=JobState.PAUSED, note=note)


class NothingToPause(InputError):
    """The job is not active."""


def pause_job(*, job: Job, by: User) -> None:
    """Let workers store responses in flight and send no more requests. Raises NothingToPause."""
    if not halt_job(job=job, state=JobState.PAUSED, note=f"Paused by {by}."):
        raise NothingToPause(f"{job}: only an active job can be paused.")


class JobIsOver(InputError):
    """The job is completed or cancelled."""


@transaction.atomic
def cancel_job(*, job: Job, by: User) -> None:
    """Cancel an unfinished job; workers check this before they store their next batch. Raises JobIsOver."""
    if not Job.objects.unfinished().filter(pk=job.pk).update(state=JobState.CANCELLED, finished_at=Now()):
        raise JobIsOver(f"{job}: the job is over, so there is nothing to cancel.")
    with bound(job=job.pk, user=by.pk):
        logger.info("job cancelled")


class NothingToResume(InputError):
    """The job is neither paused nor stopped by a budget."""


@transaction.atomic
def resume_job(*, job: Job, by: User) -> None:
    """Queue the unfinished shards again. Raises NothingToResume."""
    running = {"state": JobState.RUNNING, "note": "", "resumed_by": by}
    if not Job.objects.halted().filter(pk=job.pk).update(**running):
        raise NothingToResume(f"{job}: only a job that is paused or stopped by a budget can be resumed.")
    # Sweeping polls request files, submitted or not, once the job is active; other shards need a message.
    shards = Shard.objects.open().filter(job=job).exclude(files__in=RequestFile.objects.open())
    shards.update(claimed_at=None, queued_at=Now(), attempt_count=0)
    for pk in shards.values_list("pk", flat=True):
        enqueue("judges.run_shard", pk)
    enqueue("judges.finish_job", job.pk)
    with bound(job=job.pk, user=by.pk):
        logger.info("job resumed")
