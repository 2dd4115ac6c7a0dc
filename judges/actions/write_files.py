"""Put the requests of a shard on the ledger, in files that an endpoint answers later."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.models import Blob
from judges.actions.claim_shard import claim_shard
from judges.actions.find_questions import find_questions
from judges.actions.halt_job import halt_job
from judges.actions.reserve_money import NO_MONEY, is_money_out, reserve_money
from judges.actions.settle_shard import settle_shard
from judges.core.batches import line_size, split
from judges.models import Budget, Job, JobState, LedgerEntry, RequestFile, Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.actions.prepare_asks import Question

TRIAL = 100  # requests in the first file of a model


def write_files(*, shard: Shard) -> None:
    """Plan files for what is still to be asked of a shard that one holds, and queue their handing over.

    Nothing where files of it are open: what these hold is asked already. Money for all of it is reserved
    first; where a budget has no room the shard goes back. Under a cap the first file of a model is a small
    one: whether the price table bounds its answers is known from them.
    """
    if shard.files.open().exists():
        return
    settle_shard(shard=shard)
    questions = find_questions(shard=shard)
    if _is_trial(shard.job):
        questions = questions[:TRIAL]
    if not reserve_money(shard=shard, micros=sum(each.bound for each in questions)):
        if is_money_out(shard.job):
            halt_job(job=shard.job, state=JobState.STOPPED_BY_BUDGET, note=NO_MONEY)
        return
    if not claim_shard(shard=shard):
        settle_shard(shard=shard)
        return
    _write(shard, questions)


def _is_trial(job: Job) -> bool:
    """Whether a budget has a cap, and nothing is known yet of what the model's answers cost."""
    answered = LedgerEntry.objects.filter(job__judge__model=job.judge.model, input_tokens__isnull=False)
    has_cap = Budget.objects.over(job).filter(cap_micros__isnull=False).exists()
    return has_cap and not answered.exists()


@transaction.atomic
def _write(shard: Shard, questions: Sequence[Question]) -> None:
    row = Shard.objects.filter(pk=shard.pk)
    if not questions:
        row.update(done_at=Now(), encoded_count=shard.input_count)
        return
    row.update(encoded_count=shard.input_count - len(questions))
    settings = shard.job.judge.settings
    blobs = Blob.objects.in_bulk({each.blob for each in questions})
    sizes = [line_size(each.texts, blobs[each.blob].size, settings) for each in questions]
    for places in split(sizes):
        file = RequestFile.objects.create(shard=shard, request_count=len(places), queued_at=Now())
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                id=uuid.uuid4(),
                job_id=shard.job_id,
                shard=shard,
                file=file,
                request_key=questions[place].call.request_key,
                bound_micros=questions[place].bound,
            )
            for place in places
        )
    enqueue("judges.run_files", shard.pk)
