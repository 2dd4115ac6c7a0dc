"""Let a halted job go on."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.models import Job, JobState, RequestFile, Shard

logger = logging.getLogger(__name__)


class NothingToResume(InputError):
    """The job is neither paused nor stopped by a budget."""


@transaction.atomic
def resume_job(*, job: Job, by: User) -> None:
    """Queue the shards that are not done again. Raises NothingToResume."""
    if not Job.objects.halted().filter(pk=job.pk).update(state=JobState.RUNNING, note=""):
        raise NothingToResume(f"{job}: only a job that is paused or stopped by a budget can be resumed.")
    # What is with the endpoint goes on by itself; the files that wait here do so from now on.
    shards = Shard.objects.open().filter(job=job).exclude(files__in=RequestFile.objects.open())
    shards.update(claimed_at=None, queued_at=Now(), attempt_count=0)
    for pk in shards.values_list("pk", flat=True):
        enqueue("judges.run_shard", pk)
    enqueue("judges.finish_job", job.pk)
    with bound(job=job.pk, user=by.pk):
        logger.info("job resumed")
