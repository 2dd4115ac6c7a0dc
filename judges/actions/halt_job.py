"""Halt a job: what is under way is stored, nothing more is asked."""

from __future__ import annotations

import logging

from evaluation.actions.enqueue import enqueue
from evaluation.core.log_context import bound
from judges.models import Job, JobState

logger = logging.getLogger(__name__)


def halt_job(*, job: Job, state: JobState, note: str) -> bool:
    """Pause an active job, or mark it as stopped by its budget; False when it is not active."""
    is_halted = bool(Job.objects.active().filter(pk=job.pk).update(state=state, note=note))
    if is_halted:
        enqueue("judges.mail_job", job.pk)
        with bound(job=job.pk):
            logger.warning("job halted: %s", note)
    return is_halted
