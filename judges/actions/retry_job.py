"""Try again what a job could not score."""

from __future__ import annotations

import logging
from dataclasses import asdict

from django.db import transaction

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.actions.find_rates import find_rates
from judges.actions.plan_job import plan_job
from judges.core.costs import FREE_OF_CHARGE
from judges.models import Budget, CallState, Job, JobState

logger = logging.getLogger(__name__)


class NothingToRetry(InputError):
    """The job has no gaps, or is not over yet."""


@transaction.atomic
def retry_job(*, job: Job, by: User) -> None:
    """Set the failed calls of a job waiting again and plan them anew; what has a score stays untouched.

    Items are read again, so a text or an image mended since counts. A job that was started without a price
    gets that of the table now. Raises NothingToRetry, and PriceMissing where a budget has a cap by now.
    """
    again = {"state": JobState.RUNNING, "finished_at": None}
    if not Job.objects.filter(pk=job.pk, state=JobState.COMPLETED_WITH_GAPS).update(**again):
        raise NothingToRetry(
            f"{job}: there is nothing to retry. Only a job that completed with gaps can be retried."
        )
    if job.rates == FREE_OF_CHARGE:
        rates = find_rates(judge=job.judge, pool=job.pool, cap_micros=_cap(job))
        Job.objects.filter(pk=job.pk).update(**asdict(rates))
    failed = job.calls.failed()
    # The tries of before are over: with them a first fault would be the last.
    count = failed.update(state=CallState.WAITING, outcome="", ended_at=None, attempt_count=0)
    with bound(job=job.pk, user=by.pk):
        logger.info("retrying %d calls", count)
    plan_job(job=job)


def _cap(job: Job) -> int | None:
    """The cap of the job's own budget; None, too, for imported scores, which have no budget."""
    return Budget.objects.filter(job=job).values_list("cap_micros", flat=True).first()
