"""Settle what a shard has cost, and give back the rest of its reservation."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from judges.models import Budget, Shard

LOST = "lost"
LOST_ALONE = "lost_alone"  # nothing else was under way when the worker died


@transaction.atomic
def settle_shard(*, shard: Shard) -> None:
    """Move the shard's ledger into the budgets; call it when no request of the shard is under way.

    Entries that are still open belong to a worker that died: the endpoint may bill them, so they end as lost
    and count at their bound. May run twice without harm.
    """
    held = Shard.objects.select_for_update().get(pk=shard.pk)
    outcome = LOST_ALONE if held.ledger.open().count() == 1 else LOST
    held.ledger.open().update(ended_at=Now(), cost_micros=F("bound_micros"), outcome=outcome)
    total = held.ledger.all().total()
    # In the order of their keys, as reserving does.
    for budget in Budget.objects.over(held.job).select_for_update(of=["self"], no_key=True):
        budget.reserved_micros -= held.reserved_micros
        budget.spent_micros += total - held.spent_micros
        budget.save(update_fields=["reserved_micros", "spent_micros"])
    held.reserved_micros, held.spent_micros = 0, total
    held.save(update_fields=["reserved_micros", "spent_micros"])
    shard.reserved_micros, shard.spent_micros = 0, total
