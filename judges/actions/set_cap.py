"""Set what a job or a track may spend on judges."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import Q

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.core.costs import FREE_OF_CHARGE
from judges.models import Budget, Job, Price

logger = logging.getLogger(__name__)


class CapTooLow(InputError):
    """More is spent or reserved already."""


class CapNotKept(InputError):
    """A job under the budget asks an endpoint at a price that nobody gave."""


@transaction.atomic
def set_cap(*, budget: Budget, cap_micros: int | None, by: User) -> None:
    """Set the cap, None for no cap.

    Raises CapTooLow below what is spent and reserved, and CapNotKept while a job that was started without a
    price has not ended: what it spends is not counted.
    """
    held = Budget.objects.select_for_update().get(pk=budget.pk)
    taken = held.spent_micros + held.reserved_micros
    if cap_micros is not None and cap_micros < taken:
        raise CapTooLow(f"{held}: {taken / 1e6:.2f} are spent or reserved. Set that or more.")
    if cap_micros is not None:
        _check_prices(held)
    held.cap_micros = cap_micros
    held.save(update_fields=["cap_micros"])
    with bound(budget=held.pk, user=by.pk):
        logger.info("cap set to %s micros", cap_micros)


def _check_prices(budget: Budget) -> None:
    """Every unfinished job under the budget that asks an endpoint has a price."""
    under = Q(pk=budget.job_id) if budget.job_id else Q(pool__task__track=budget.track_id)
    jobs = Job.objects.unfinished().filter(under).exclude(judge__endpoint="").select_related("judge", "pool")
    for job in jobs:
        if job.rates == FREE_OF_CHARGE and not _is_free(job):
            raise CapNotKept(
                f'{budget}: no cap can be kept while "{job}" goes on, which was started without a price for '
                f'"{job.judge.model}". Cancel that job, add the price, and start it again: what it has '
                "answers to is free."
            )


def _is_free(job: Job) -> bool:
    """Whether the price table says that the job costs nothing."""
    price = Price.objects.of(job.judge)
    return price is not None and price.rates_for(job.judge.unit) == FREE_OF_CHARGE
