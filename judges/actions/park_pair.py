"""Park a pair that ends its workers."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.code_version import code_version
from judges.actions.settle_shard import LOST_ALONE, settle_shard
from judges.core.inputs import Gap
from judges.models import Call, CallState, LedgerEntry, Shard


@transaction.atomic
def park_pair(*, shard: Shard, attempts: int) -> bool:
    """Fail the pair that the shard's dead worker was asking about, if it ended so many; whether it did.

    A worker that dies while it asks about several pairs accuses none of them: they are asked about one at a
    time next. So a worker that is killed from outside parks a pair only if it hits the same one each time.
    """
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None:
        return False
    keys = list(current.ledger.open().values_list("request_key", flat=True)[:2])
    if len(keys) != 1 or _lost_count(current, keys[0]) < attempts - 1:
        return False
    settle_shard(shard=current)
    Call.objects.waiting().filter(job=current.job_id, request_key=keys[0]).update(
        state=CallState.FAILED, outcome=Gap.PARKED, ended_at=Now(), code_version=code_version()
    )
    Shard.objects.filter(pk=current.pk).update(attempt_count=0)
    return True


def _lost_count(shard: Shard, key: str) -> int:
    return LedgerEntry.objects.filter(job=shard.job_id, request_key=key, outcome=LOST_ALONE).count()
