"""Park the pairs that end their workers."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.code_version import code_version
from judges.actions.settle_shard import settle_shard
from judges.core.inputs import Gap
from judges.models import Call, CallState, Shard


@transaction.atomic
def park_pairs(*, shard: Shard) -> None:
    """Fail the pairs of an open shard that were being asked about when its worker died for the third time.

    After a first death they are asked about one at a time, so it is one pair. The rest goes on.
    """
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None:
        return
    keys = current.ledger.open().values("request_key")
    ending = {"state": CallState.FAILED, "outcome": Gap.PARKED, "ended_at": Now()}
    waiting = Call.objects.waiting().filter(job=current.job_id, request_key__in=keys)
    waiting.update(**ending, code_version=code_version())
    settle_shard(shard=current)
    Shard.objects.filter(pk=current.pk).update(attempt_count=0)
