"""Choose the next shard; claim, settle, abandon shards; reserve their money; halt jobs that may not run."""

from __future__ import annotations

from enum import StrEnum
from itertools import takewhile

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Now

from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.tracks.archiving import NoLongerOrganizer, check_requester
from evaluation.work.queueing import served_longest_ago
from judges.core.inputs import Gap
from judges.jobs.calls import Call, CallState
from judges.jobs.models import Job, JobState
from judges.jobs.money import Budget, LedgerEntry
from judges.jobs.shards import Shard
from judges.jobs.stopping import halt_job

TRACK = "job__pool__task__track"
TURN_SECONDS = 60  # of a job; then other tracks go first. A shorter turn would be spent on loading models
TASK_SECONDS = 600  # of a job in any case: the queue resends tasks after an hour


def next_shard() -> Shard | None:
    """Return a free shard of the track served longest ago.

    In a track, jobs of the highest priority go first; of equal ones, those of the person served longest ago.
    """
    free = Shard.objects.free()
    free = free.filter(**{TRACK: served_longest_ago(free, by=TRACK, at="claimed_at")})
    free = free.filter(job__priority=free.aggregate(most=Max("job__priority"))["most"])
    free = free.filter(job__created_by=served_longest_ago(free, by="job__created_by", at="claimed_at"))
    return free.select_related("job__judge", "job__pool__task").order_by("pk").first()


def must_yield(job: Job, seconds: float) -> bool:
    """Whether a worker that has spent these seconds on the job leaves its further shards for later.

    It does for more urgent jobs of the track, and after its turn for other tracks.
    """
    free, own = Shard.objects.free(), {TRACK: job.pool.task.track_id}
    return (
        seconds > TASK_SECONDS
        or free.filter(**own, job__priority__gt=job.priority).exists()
        or (seconds > TURN_SECONDS and free.exclude(**own).exists())
    )


def halt_refused(*, job: Job) -> bool:
    """Pause the job if its track is archived or its requester no longer organizes it; True if that is so."""
    try:
        check_requester(job.pool.task, job.requester)
    except NoLongerOrganizer:
        note = f"{job.requester} started or resumed this job and no longer organizes {job.pool.task.track}. "
        halt_job(job=job, state=JobState.PAUSED, note=note + "An organizer of the track can resume it.")
    except InputError as error:
        halt_job(job=job, state=JobState.PAUSED, note=str(error))
    else:
        return False
    return True


@transaction.atomic
def claim_shard(*, shard: Shard) -> bool:
    """Mark a locked shard as claimed; return False if another worker finished it first."""
    claim = {"claimed_at": Now(), "attempt_count": F("attempt_count") + 1}
    if not Shard.objects.open().filter(pk=shard.pk).update(**claim):
        return False
    Job.objects.filter(pk=shard.job_id, state=JobState.PLANNED).update(
        state=JobState.RUNNING, started_at=Now()
    )
    shard.refresh_from_db(
        fields=["encoded_count", "gaps", "readings", "attempt_count", "reserved_micros", "spent_micros"]
    )
    return True


LOST = "lost"
LOST_ALONE = "lost_alone"  # the only request in flight when the worker died


@transaction.atomic
def settle_shard(*, shard: Shard) -> None:
    """Book the shard's ledger to the budgets; call it when the shard has no request in flight.

    Open entries belong to a worker that died. The endpoint may bill them, so they end as lost and are charged
    at their bound. Idempotent.
    """
    locked = Shard.objects.select_for_update().get(pk=shard.pk)
    outcome = LOST_ALONE if locked.ledger.open().count() == 1 else LOST
    locked.ledger.open().update(ended_at=Now(), cost_micros=F("bound_micros"), outcome=outcome)
    total = locked.ledger.all().total()
    # Lock in the order of primary keys, as reserve_money does.
    for budget in Budget.objects.over(locked.job).select_for_update(of=["self"], no_key=True):
        budget.reserved_micros -= locked.reserved_micros
        budget.spent_micros += total - locked.spent_micros
        budget.save(update_fields=["reserved_micros", "spent_micros"])
    locked.reserved_micros, locked.spent_micros = 0, total
    locked.save(update_fields=["reserved_micros", "spent_micros"])
    shard.reserved_micros, shard.spent_micros = 0, total


@transaction.atomic
def give_up_shard(*, shard: Shard, error: str) -> None:
    """End an open shard with a gap for each unprocessed input; the job's page shows ``error``."""
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None:
        return
    left = current.inputs[current.encoded_count :]
    current.gaps |= {sha256: Gap.BACKEND_FAILED for _, sha256 in left}
    current.encoded_count = current.input_count
    current.error = error
    current.done_at = Now()
    current.save(update_fields=["gaps", "encoded_count", "error", "done_at"])


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
    done, left = current.inputs[: current.encoded_count], current.inputs[current.encoded_count :]
    parked = list(takewhile(lambda each: current.gaps.get(each[1]) == Gap.PARKED, reversed(done)))
    if len(parked) >= IN_A_ROW:
        return False
    current.gaps[left[0][1]] = Gap.PARKED
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


NO_MONEY = (
    "The budget has no room for the next shard. Raise its cap, or ask the site's staff to raise the track's "
    "ceiling, then resume the job."
)


class Room(StrEnum):
    """The result of a reservation."""

    RESERVED = "reserved"
    LATER = "later"  # reservations of others may be released
    NEVER = "never"  # not before somebody raises the cap


@transaction.atomic
def reserve_money(*, shard: Shard, micros: int) -> Room:
    """Add to the shard's reservation in its job's and its track's budget, or return whether waiting helps.

    Reads the budgets once, locked, so that money released meanwhile is not missed.
    """
    if not micros:
        return Room.RESERVED
    # Lock in the order of primary keys, as settle_shard does.
    budgets = list(Budget.objects.over(shard.job).select_for_update(of=["self"], no_key=True))
    full = [each for each in budgets if not _has_room(each, micros)]
    if full:
        can_come_back = all(each.reserved_micros > shard.reserved_micros for each in full)
        return Room.LATER if can_come_back else Room.NEVER
    Budget.objects.filter(pk__in=[each.pk for each in budgets]).update(
        reserved_micros=F("reserved_micros") + micros
    )
    Shard.objects.filter(pk=shard.pk).update(reserved_micros=shard.reserved_micros + micros)
    shard.reserved_micros += micros
    return Room.RESERVED


def _has_room(budget: Budget, micros: int) -> bool:
    taken = budget.spent_micros + budget.reserved_micros
    limits = [limit for limit in (budget.cap_micros, budget.ceiling_micros) if limit is not None]
    return not limits or taken + micros <= min(limits)
