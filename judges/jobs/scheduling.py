"""Decide what runs: claim shards; halt, pause, resume, retry and cancel jobs; mail the end of a job."""

import logging
from collections.abc import Collection
from dataclasses import asdict

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Now
from django.urls import reverse

from evaluation.platform.access.people import Role, User, organizes
from evaluation.tracks.archiving import NoLongerOrganizer, check_requester
from evaluation.tracks.work.queueing import enqueue, served_longest_ago
from judges.jobs.calls import CallState
from judges.jobs.looking import ignores_pictures
from judges.jobs.models import Job
from judges.jobs.money import Budget
from judges.jobs.shards import JobState, RequestFile, Shard
from judges.jobs.starting import find_rates, plan_job
from trackside.errors import InputError
from trackside.judging.costs import FREE_OF_CHARGE, amount
from trackside.judging.inputs import Gap
from trackside.log_context import bound

logger = logging.getLogger(__name__)

TRACK = "job__pool__task__track"
TURN_SECONDS = 60  # of a job; then other tracks go first. A shorter turn would be spent on loading models
TASK_SECONDS = 600  # of a job in any case: the queue resends tasks after an hour


def next_shard(without: Collection[int] = ()) -> Shard | None:
    """Return a free shard of the track served longest ago, but of none of these jobs.

    In a track, jobs of the highest priority go first; of equal ones, those of the person served longest ago.
    """
    free = Shard.objects.free().exclude(job__in=without)
    free = free.filter(**{TRACK: served_longest_ago(free, by=TRACK, at="claimed_at")})
    free = free.filter(job__priority=free.aggregate(most=Max("job__priority"))["most"])
    free = free.filter(job__created_by=served_longest_ago(free, by="job__created_by", at="claimed_at"))
    return free.select_related("job__judge", "job__pool__task").order_by("pk").first()


def must_yield(job: Job, seconds: float) -> bool:
    """Whether a worker that has spent these seconds on the job leaves its further shards for later.

    It does for more urgent jobs of the track, and after its turn for other tracks.
    """
    free, same_track = Shard.objects.free(), {TRACK: job.pool.task.track_id}
    return (
        seconds > TASK_SECONDS
        or free.filter(**same_track, job__priority__gt=job.priority).exists()
        or (seconds > TURN_SECONDS and free.exclude(**same_track).exists())
    )


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


@transaction.atomic
def give_up_shard(*, shard: Shard, error: str) -> None:
    """End an open shard with a gap for each unprocessed input; the job's page shows ``error``."""
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None:
        return
    inputs = current.inputs[current.encoded_count :]
    current.gaps |= {sha256: Gap.BACKEND_FAILED for _, sha256 in inputs}
    current.encoded_count = current.input_count
    current.error = error
    current.done_at = Now()
    current.save(update_fields=["gaps", "encoded_count", "error", "done_at"])


@transaction.atomic
def halt_job(*, job: Job, state: JobState, note: str) -> bool:
    """Pause an active job, or mark it as stopped by its budget; False if it is not active."""
    is_halted = bool(Job.objects.active().filter(pk=job.pk).update(state=state, note=note))
    if is_halted:
        mail_end(job_id=job.pk)
        with bound(job=job.pk):
            logger.warning("job halted: %s", note)
    return is_halted


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


def pause_job(*, job: Job, by: User) -> None:
    """Let workers store responses in flight and send no more requests. Raises nothing-to-pause."""
    if not halt_job(job=job, state=JobState.PAUSED, note=f"Paused by {by}."):
        raise InputError(f"{job}: only an active job can be paused.", code="nothing-to-pause")


@transaction.atomic
def cancel_job(*, job: Job, by: User) -> None:
    """Cancel an unfinished job; workers check this before they store their next batch. Raises job-is-over."""
    if not Job.objects.unfinished().filter(pk=job.pk).update(state=JobState.CANCELLED, finished_at=Now()):
        raise InputError(f"{job}: the job is over, so there is nothing to cancel.", code="job-is-over")
    with bound(job=job.pk, user=by.pk):
        logger.info("job cancelled")


@transaction.atomic
def resume_job(*, job: Job, by: User) -> None:
    """Queue the unfinished shards again. Raises nothing-to-resume.

    If the grades of controls stay, the person overrules that for the rest of the job.
    """
    columns: dict[str, object] = {"state": JobState.RUNNING, "note": "", "resumed_by": by}
    if job.is_halted and job.overruled_by_id is None and ignores_pictures(job):
        columns["overruled_by"] = by
    if not Job.objects.halted().filter(pk=job.pk).update(**columns):
        raise InputError(
            f"{job}: only a job that is paused or stopped by a budget can be resumed.",
            code="nothing-to-resume",
        )
    # Sweeping polls request files, submitted or not, once the job is active; other shards need a message.
    shards = Shard.objects.open().filter(job=job).exclude(files__in=RequestFile.objects.open())
    shards.update(claimed_at=None, queued_at=Now(), attempt_count=0)
    for pk in shards.values_list("pk", flat=True):
        enqueue("judges.run_shard", pk)
    enqueue("judges.finish_job", job.pk)
    with bound(job=job.pk, user=by.pk):
        logger.info("job resumed")


@transaction.atomic
def retry_job(*, job: Job, by: User) -> None:
    """Reset the failed calls of a job to waiting and plan them again; scores do not change.

    Items are read again, so repaired texts and images count. A job without a price gets the current price.
    Raises nothing-to-retry, and price-missing if a budget has a cap now.
    """
    columns = {"state": JobState.RUNNING, "finished_at": None, "resumed_by": by}
    if not Job.objects.filter(pk=job.pk, state=JobState.COMPLETED_WITH_GAPS).update(**columns):
        raise InputError(
            f"{job}: there is nothing to retry. Only a job that completed with gaps can be retried.",
            code="nothing-to-retry",
        )
    if job.rates == FREE_OF_CHARGE:
        # Imported scores have no budget.
        cap = Budget.objects.filter(job=job).values_list("cap_micros", flat=True).first()
        rates = find_rates(judge=job.judge, pool=job.pool, cap_micros=cap)
        Job.objects.filter(pk=job.pk).update(**asdict(rates))
    failed = job.calls.failed()
    # Reset the tries: else the first fault would park the pair.
    count = failed.update(
        state=CallState.WAITING, outcome="", ended_at=None, attempt_count=0, is_from_store=False
    )
    with bound(job=job.pk, user=by.pk):
        logger.info("retrying %d calls", count)
    plan_job(job=job)


def mail_end(*, job_id: int) -> None:
    """Queue a mail with the state, the outcomes and the cost of a job that is over or halted.

    It goes to the person who started or last resumed the job; if they no longer organize the track, to its
    organizers. Call it in the transaction that ends the job, so that the mail is stored with the end.
    """
    job = Job.objects.select_related("judge", "created_by", "resumed_by", "pool__task__track").get(pk=job_id)
    task = job.pool.task
    path = reverse("job_detail", args=[task.track.slug, task.slug, job.pk])
    lines = [
        f"The {'probe' if job.probe else 'job'} of {job.judge} on {job.pool} is {job.get_state_display()}.",
        *([job.note] if job.note else []),
        *(f"{outcome}: {count:,}" for outcome, count in job.outcome_counts().items()),
        f"Cost: {amount(job.ledger.all().total())}",
        f"{settings.SITE_URL}{path}",
    ]
    subject = f"{job.judge} on {job.pool.name}: {job.get_state_display()}"
    for address in _addresses(job):
        send_mail(subject, "\n".join(lines), None, [address])


def _addresses(job: Job) -> list[str]:
    track = job.pool.task.track
    people = User.objects.filter(is_active=True)
    person = people.filter(pk=job.requester.pk).first()  # a new object, which caches no roles
    if person and organizes(person, track.pk):
        return [person.email]
    organizers = people.filter(memberships__track=track, memberships__role=Role.ORGANIZER)
    return list(organizers.order_by("pk").values_list("email", flat=True))
