"""Give a shard up: what it has not encoded becomes gaps with a reason."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from judges.core.inputs import Gap
from judges.models import Shard


@transaction.atomic
def give_up_shard(*, shard: Shard, error: str) -> None:
    """End an open shard with a gap for each input behind its last batch; the job's page shows ``error``."""
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None:
        return
    left = current.inputs[current.encoded_count :]
    current.gaps |= {sha256: Gap.BACKEND_FAILED for _, sha256 in left}
    current.encoded_count = current.input_count
    current.error = error
    current.done_at = Now()
    current.save(update_fields=["gaps", "encoded_count", "error", "done_at"])
