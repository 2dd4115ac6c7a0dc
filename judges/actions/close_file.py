"""End a file of requests, and its shard with the last of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from judges.actions.settle_shard import settle_shard
from judges.actions.store_answers import store_answers
from judges.core.asking import Reply
from judges.models import FileState, RequestFile, Shard

if TYPE_CHECKING:
    from judges.core.asking import Fault


@transaction.atomic
def close_file(*, file: RequestFile, fault: Fault) -> None:
    """End the file; its requests that nothing was stored of end with the fault.

    With the shard's last file its money is settled. Pairs that get another try are planned into new files.
    """
    left = [Reply(str(entry), fault=fault, detail=file.note) for entry in file.ledger.open()]
    store_answers(file=file, replies=left)
    RequestFile.objects.filter(pk=file.pk).update(state=FileState.ENDED, ended_at=Now())
    file.refresh_from_db(fields=["state", "ended_at"])
    if not file.shard.files.open().exists():
        _close(file.shard)


def _close(shard: Shard) -> None:
    settle_shard(shard=shard)
    row = Shard.objects.filter(pk=shard.pk)
    if shard.job.calls.waiting().filter(pk__in=[pk for pk, _ in shard.inputs]).exists():
        row.update(claimed_at=None, queued_at=Now())
        enqueue("judges.run_shard", shard.pk)
        return
    row.update(done_at=Now(), encoded_count=shard.input_count)
    if not shard.job.shards.open().exists():
        enqueue("judges.finish_job", shard.job_id)
