"""Take up a shard."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from judges.models import Job, JobState, Shard


@transaction.atomic
def claim_shard(*, shard: Shard) -> bool:
    """Mark a shard whose lock one holds as taken up; False when it was done before the lock was ours."""
    claim = {"claimed_at": Now(), "attempt_count": F("attempt_count") + 1}
    if not Shard.objects.open().filter(pk=shard.pk).update(**claim):
        return False
    Job.objects.filter(pk=shard.job_id, state=JobState.PLANNED).update(
        state=JobState.RUNNING, started_at=Now()
    )
    shard.refresh_from_db(
        fields=["encoded_count", "gaps", "attempt_count", "reserved_micros", "spent_micros"]
    )
    return True
