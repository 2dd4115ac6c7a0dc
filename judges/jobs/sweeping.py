"""Recover the shards and the money of dead workers."""

import logging
from collections.abc import Collection
from datetime import timedelta
from itertools import takewhile

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from evaluation.tracks.work.queueing import enqueue
from judges.jobs.budgets import LOST_ALONE, settle_shard
from judges.jobs.calls import Call, CallState
from judges.jobs.models import Job
from judges.jobs.money import LedgerEntry
from judges.jobs.scheduling import give_up_shard, halt_job, halt_refused
from judges.jobs.shards import ATTEMPTS, JobState, RequestFile, Shard, ShardContent
from trackside.code_version import code_version
from trackside.judging.inputs import Gap
from trackside.log_context import bound

logger = logging.getLogger(__name__)

# A message older than this is lost if no shard of its job is in progress. Rare: a worker reserves no message
# beyond those it works on. A shorter time would fill the queue faster while all workers are busy.
LOST_AFTER = timedelta(minutes=1)
# If no request was sent for this long, workers crash before they send one, for example by their model.
ASKED_LATELY = timedelta(minutes=5)
GIVEN_UP = f"The worker died or failed {ATTEMPTS} times without progress. Read its log, then resume the job."


def sweep_jobs() -> None:
    """Requeue shards whose worker died or whose message was lost, and finish jobs without open shards.

    A shard with files at an endpoint waits for them; this function polls these files. A claimed but unlocked
    shard belongs to a dead worker: PostgreSQL releases the lock with the worker's connection. Its
    reserved money and its requests in flight are settled even if its job is halted or over. Jobs that may no
    longer run are paused first.
    """
    for job in Job.objects.active().select_related("pool__task__track", "created_by", "resumed_by"):
        halt_refused(job=job)
    idle = Shard.objects.open().exclude(files__in=RequestFile.objects.open())
    unsettled, claimed = list(_unsettled()), list(idle.filter(claimed_at__isnull=False))
    locked = set(Shard.objects.held())  # query after the claims: a worker locks before it claims
    for shard in unsettled:
        if shard not in locked:
            _settle(shard)
    for shard in claimed:
        if shard not in locked:
            _release(shard)
    _requeue_lost(idle.filter(claimed_at__isnull=True), {shard.job_id for shard in locked})
    _poll_files()
    for job in Job.objects.active().exclude(shards__in=Shard.objects.open()):
        enqueue("judges.finish_job", job.pk)


def _unsettled() -> QuerySet[Shard]:
    """Return shards of inactive jobs with money or requests in flight, but no files at an endpoint."""
    entries = LedgerEntry.objects.open().filter(file=None).values("shard")
    holding = Shard.objects.filter(Q(reserved_micros__gt=0) | Q(pk__in=entries))
    return holding.exclude(job__in=Job.objects.active()).exclude(files__in=RequestFile.objects.open())


def _settle(shard: Shard) -> None:
    """Settle the shard of a dead worker."""
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if is_free and _unsettled().filter(pk=shard.pk).exists():
            logger.warning("the worker of the shard died; the shard is settled")
            settle_shard(shard=shard)


def _requeue_lost(shards: QuerySet[Shard], busy_jobs: Collection[int]) -> None:
    """Requeue shards that have waited so long that their message must be lost.

    While workers are busy with other jobs, messages may just wait behind these. So an idle job then gets one
    message per LOST_AFTER; its worker continues with the job's other shards.
    """
    if not busy_jobs:
        for shard in shards.filter(queued_at__lt=Now() - LOST_AFTER):
            _requeue(shard)
        return
    fresh = Shard.objects.filter(queued_at__gte=Now() - LOST_AFTER).values("job")
    stale = shards.exclude(job__in=busy_jobs).exclude(job__in=fresh)
    for shard in stale.order_by("job_id", "queued_at", "pk").distinct("job_id"):
        _requeue(shard)


def _poll_files() -> None:
    """Queue the next step of each due file."""
    files = RequestFile.objects.due().unqueued()
    for shard_id in files.order_by().values_list("shard_id", flat=True).distinct():
        RequestFile.objects.due().filter(shard=shard_id).update(queued_at=Now())
        enqueue("judges.run_files", shard_id)


def _release(shard: Shard) -> None:
    """Requeue the shard, unless a worker has claimed it since it was found."""
    unchanged = Shard.objects.open().filter(pk=shard.pk, claimed_at=shard.claimed_at)
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if not is_free or not unchanged.exists():
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


IN_A_ROW = 3  # adjacent parked inputs: then the model or the machine crashes workers, not an input


@transaction.atomic
def park_input(*, shard: Shard) -> bool:
    """Make a gap of the shard's next input, so that work continues after it; return whether it did.

    For a shard that has crashed several workers at that input: from the second worker on, inputs are
    processed one at a time. False if none is left, or the previous IN_A_ROW inputs are parked, too.
    """
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None or current.encoded_count == current.input_count:
        return False
    processed, remaining = current.inputs[: current.encoded_count], current.inputs[current.encoded_count :]
    parked = list(takewhile(lambda item: current.gaps.get(item[1]) == Gap.PARKED, reversed(processed)))
    if len(parked) >= IN_A_ROW:
        return False
    current.gaps[remaining[0][1]] = Gap.PARKED
    current.encoded_count += 1
    current.attempt_count = 1  # process the following inputs one at a time, too
    current.save(update_fields=["gaps", "encoded_count", "attempt_count"])
    return True


@transaction.atomic
def park_pair(*, shard: Shard, attempts: int) -> bool:
    """Fail the pair that was in flight alone when ``attempts`` workers died; return whether there was one.

    If several pairs were in flight, none is to blame: they are sent one at a time next. So workers that are
    killed from outside park a pair only if each kill hits the same pair.
    """
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None:
        return False
    keys = list(current.ledger.open().values_list("request_key", flat=True)[:2])
    if len(keys) != 1:
        return False
    lost = LedgerEntry.objects.filter(job=current.job_id, request_key=keys[0], outcome=LOST_ALONE)
    if lost.count() < attempts - 1:
        return False
    settle_shard(shard=current)
    Call.objects.waiting().filter(job=current.job_id, request_key=keys[0]).update(
        state=CallState.FAILED, outcome=Gap.PARKED, ended_at=Now(), code_version=code_version()
    )
    Shard.objects.filter(pk=current.pk).update(attempt_count=0)
    return True
