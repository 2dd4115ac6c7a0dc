"""Queue again what no living worker holds."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.core.log_context import bound
from judges.actions.give_up_shard import give_up_shard
from judges.actions.halt_job import halt_job
from judges.actions.park_input import park_input
from judges.actions.park_pair import park_pair
from judges.actions.settle_shard import settle_shard
from judges.models import Job, JobState, LedgerEntry, Part, RequestFile, Shard

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

ATTEMPTS = 3  # claims in a row without one stored batch: then the shard itself is what kills workers
# A message older than this was lost, if meanwhile no shard of its job is worked on. Rare: a worker reserves
# no message beyond those it works on. A shorter time would fill the queue faster while no worker is free.
LOST_AFTER = timedelta(minutes=1)
# A worker may die for many reasons; one that asked nothing for so long dies before it can: of its model, say.
ASKED_LATELY = timedelta(minutes=5)
GIVEN_UP = (
    f"The worker died or failed {ATTEMPTS} times without getting on. Read its log, then go on with the job."
)


def sweep_jobs() -> None:
    """Requeue shards whose worker died or whose message was lost, and finish jobs that lack nothing else.

    A shard with files at an endpoint waits for them, whoever held it; these are looked after here, too.
    A claimed shard without a holder is a dead worker's: PostgreSQL frees the lock with the worker's
    connection. What such a shard holds of budgets and turns is given back even where its job is halted or
    over, and nobody takes it up again.
    """
    idle = Shard.objects.open().exclude(files__in=RequestFile.objects.open())
    left, claimed = list(_unsettled()), list(idle.filter(claimed_at__isnull=False))
    held = set(Shard.objects.held())  # asked after the claims: a worker takes the lock before it claims
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
    """Shards that hold money or turns, of jobs that nobody works on; not what is with an endpoint."""
    asking = LedgerEntry.objects.open().filter(file=None).values("shard")
    holding = Shard.objects.filter(Q(reserved_micros__gt=0) | Q(pk__in=asking))
    return holding.exclude(job__in=Job.objects.active()).exclude(files__in=RequestFile.objects.open())


def _settle(shard: Shard) -> None:
    """Give back what a shard holds that no worker will settle."""
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if is_free and _unsettled().filter(pk=shard.pk).exists():
            logger.warning("shard was left by its worker and is settled")
            settle_shard(shard=shard)


def _requeue_lost(waiting: QuerySet[Shard], busy_jobs: Collection[int]) -> None:
    """Requeue what has waited so long that its message must be lost.

    While some worker is busy with another job messages may just be waiting behind it. So a job that nobody
    works on then gets one a minute, whose worker goes on to the job's other shards.
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
    """Have the next step of each file tried that is due."""
    due = RequestFile.objects.due().unqueued()
    for shard_id in due.order_by().values_list("shard_id", flat=True).distinct():
        RequestFile.objects.due().filter(shard=shard_id).update(queued_at=Now())
        enqueue("judges.run_files", shard_id)


def _release(shard: Shard) -> None:
    """Let others have the shard, unless a worker took it up since it was found."""
    as_found = Shard.objects.open().filter(pk=shard.pk, claimed_at=shard.claimed_at)
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if not is_free or not as_found.exists():
            return
        if shard.side == Part.PAIR:
            _release_pairs(shard)
        elif shard.attempt_count < ATTEMPTS:
            logger.warning("shard was left by its worker and goes back to the queue")
            _requeue(shard)
        elif park_input(shard=shard):
            logger.error("an input was parked: it ended its worker %d times", shard.attempt_count)
            _requeue(shard)
        else:
            logger.error("shard given up after %d attempts", shard.attempt_count)
            give_up_shard(shard=shard, error=GIVEN_UP)


def _release_pairs(shard: Shard) -> None:
    """Park a pair that has ended its worker time and again; pause a job whose worker ends before it asks."""
    has_asked = shard.job.ledger.filter(sent_at__gt=Now() - ASKED_LATELY).exists()
    if shard.attempt_count >= ATTEMPTS and not has_asked:
        halt_job(job=shard.job, state=JobState.PAUSED, note=GIVEN_UP)
    elif park_pair(shard=shard, attempts=ATTEMPTS):
        logger.error("a pair was parked: it ended its worker %d times", ATTEMPTS)
    _requeue(shard)


def _requeue(shard: Shard) -> None:
    Shard.objects.open().filter(pk=shard.pk).update(claimed_at=None, queued_at=Now())
    enqueue("judges.run_shard", shard.pk)
