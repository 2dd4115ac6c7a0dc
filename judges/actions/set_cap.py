"""Set what a job or a track may spend on judges."""

from __future__ import annotations

import logging

from django.db import transaction

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.models import Budget

logger = logging.getLogger(__name__)


class CapTooLow(InputError):
    """More is spent or reserved already."""


@transaction.atomic
def set_cap(*, budget: Budget, cap_micros: int | None, by: User) -> None:
    """Set the cap, None for no cap. Raises CapTooLow below what is spent and reserved."""
    held = Budget.objects.select_for_update().get(pk=budget.pk)
    taken = held.spent_micros + held.reserved_micros
    if cap_micros is not None and cap_micros < taken:
        raise CapTooLow(f"{held}: {taken / 1e6:.2f} are spent or reserved. Set that or more.")
    held.cap_micros = cap_micros
    held.save(update_fields=["cap_micros"])
    with bound(budget=held.pk, user=by.pk):
        logger.info("cap set to %s micros", cap_micros)
