"""Recover shards and money of dead workers, and mail the end of jobs."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Now

from evaluation.core.log_context import bound
from evaluation.work.queueing import enqueue
from judges.jobs.claims import give_up_shard, halt_refused, park_input, park_pair, settle_shard
from judges.jobs.models import Job, JobState, ShardContent
from judges.jobs.money import LedgerEntry
from judges.jobs.shards import ATTEMPTS, RequestFile, Shard
from judges.jobs.stopping import halt_job

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

# A message older than this is lost if no shard of its job is in progress. Rare: a worker reserves no message
# beyond those it works on. A shorter time would fill the queue faster while no worker is free.
LOST_AFTER = timedelta(minutes=1)
# A worker that sent no request for so long crashes before it can, because of its model, for example.
ASKED_LATELY = timedelta(minutes=5)
GIVEN_UP = f"The worker died or failed {ATTEMPTS} times without progress. Read its log, then resume the job."


def sweep_jobs() -> None:
    """Requeue shards whose worker died or whose message was lost, and finish jobs without open shards.

    A shard with files at an endpoint waits for them; this function polls these files. A claimed but unlocked
    shard belongs to a dead worker: PostgreSQL releases the lock with the worker's connection. The shard's
    reserved money and turns are released even if its job is halted or over. Jobs that may no longer run are
    paused first.
    """
    for job in Job.objects.active().select_related("pool__task__track", "created_by", "resumed_by"):
        halt_refused(job=job)
    idle = Shard.objects.open().exclude(files__in=RequestFile.objects.open())
    left, claimed = list(_unsettled()), list(idle.filter(claimed_at__isnull=False))
    held = set(Shard.objects.held())  # query after the claims: a worker locks before it claims
    for shard in left:
        if shard not in held:
            _settle(shard)
    for shard in claimed:
        if shard not in held:
            _release(shard)
    _requeue_lost(idle.filter(claimed_at__isnull=True), {shard.job_id for shard in held})
    _poll_files()
    for job in Job.objects.active().exclude(shards__in=Shard.objects.open()):
        enqueue("judges.finish_job", job.pk)


def _unsettled() -> QuerySet[Shard]:
    """Return shards of inactive jobs that hold money or turns, without those with files at an endpoint."""
    asking = LedgerEntry.objects.open().filter(file=None).values("shard")
    holding = Shard.objects.filter(Q(reserved_micros__gt=0) | Q(pk__in=asking))
    return holding.exclude(job__in=Job.objects.active()).exclude(files__in=RequestFile.objects.open())


def _settle(shard: Shard) -> None:
    """Settle a shard that no worker will settle."""
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if is_free and _unsettled().filter(pk=shard.pk).exists():
            logger.warning("the worker of the shard died; the shard is settled")
            settle_shard(shard=shard)


def _requeue_lost(waiting: QuerySet[Shard], busy_jobs: Collection[int]) -> None:
    """Requeue shards that have waited so long that their message must be lost.

    While workers are busy with other jobs, messages may just wait behind these. So an idle job then gets one
    message per LOST_AFTER; its worker continues with the job's other shards.
    """
    if not busy_jobs:
        for shard in waiting.filter(queued_at__lt=Now() - LOST_AFTER):
            _requeue(shard)
        return
    fresh = Shard.objects.filter(queued_at__gte=Now() - LOST_AFTER).values("job")
    stale = waiting.exclude(job__in=busy_jobs).exclude(job__in=fresh)
    for shard in stale.order_by("job_id", "queued_at", "pk").distinct("job_id"):
        _requeue(shard)


def _poll_files() -> None:
    """Queue the next step of each due file."""
    due = RequestFile.objects.due().unqueued()
    for shard_id in due.order_by().values_list("shard_id", flat=True).distinct():
        RequestFile.objects.due().filter(shard=shard_id).update(queued_at=Now())
        enqueue("judges.run_files", shard_id)


def _release(shard: Shard) -> None:
    """Requeue the shard, unless a worker has claimed it since it was found."""
    as_found = Shard.objects.open().filter(pk=shard.pk, claimed_at=shard.claimed_at)
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if not is_free or not as_found.exists():
            return
        if shard.side == ShardContent.PAIR:
            _release_pairs(shard)
        elif shard.attempt_count < ATTEMPTS:
            logger.warning("the worker of the shard died; the shard is queued again")
            _requeue(shard)
        elif park_input(shard=shard):
            logger.error("an input was parked: it crashed its worker %d times", shard.attempt_count)
            _requeue(shard)
        else:
            logger.error("shard abandoned after %d attempts", shard.attempt_count)
            give_up_shard(shard=shard, error=GIVEN_UP)


def _release_pairs(shard: Shard) -> None:
    """Park a pair that crashed ATTEMPTS workers; pause a job whose workers crash before any request."""
    has_asked = shard.job.ledger.filter(sent_at__gt=Now() - ASKED_LATELY).exists()
    if shard.attempt_count >= ATTEMPTS and not has_asked:
        halt_job(job=shard.job, state=JobState.PAUSED, note=GIVEN_UP)
    elif park_pair(shard=shard, attempts=ATTEMPTS):
        logger.error("a pair was parked: it crashed its worker %d times", ATTEMPTS)
    _requeue(shard)


def _requeue(shard: Shard) -> None:
    Shard.objects.open().filter(pk=shard.pk).update(claimed_at=None, queued_at=Now())
    enqueue("judges.run_shard", shard.pk)
