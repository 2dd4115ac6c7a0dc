"""Start a job, and retry its failed calls."""

from __future__ import annotations

import logging
from dataclasses import asdict

from django.db import connection, transaction

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.pools.models import Pool, PoolItem
from evaluation.tracks.archiving import check_not_archived
from evaluation.work.queueing import enqueue
from judges.catalogue.models import Judge
from judges.core.costs import FREE_OF_CHARGE
from judges.core.ensembles.composition import composition_of
from judges.core.judge import Unit
from judges.jobs.calls import Call, CallState
from judges.jobs.models import Job, JobState
from judges.jobs.money import Budget
from judges.jobs.planning import plan_job, plant_canaries
from judges.jobs.prices import find_rates

ADD_CALLS = """
    INSERT INTO {calls} (job_id, topic, docno) SELECT %s, topic, docno FROM {items} WHERE pool_id = %s
"""


class JudgeRetired(InputError):
    """The judge takes no new jobs."""


class TaskKindNotAccepted(InputError):
    """The judge does not accept the task's kind."""


class JudgeOfAnotherTrack(InputError):
    """The judge belongs to another track than the pool."""


class JudgeOfAFile(InputError):
    """The judge's scores were imported from a file, so it cannot run."""


class MembersNotReady(InputError):
    """A member of an ensemble has not judged the pool."""


class JobExists(InputError):
    """The judge already has a job on this pool."""


@transaction.atomic
def start_job(*, judge: Judge, pool: Pool, by: User, cap_micros: int | None = None, priority: int = 0) -> Job:
    """Store a job with a waiting call for each pair of the pool and each canary, and queue its shards.

    ``cap_micros`` is its cost limit; with None only the track's budget applies. The job keeps the current
    price of the price table. Raises TrackArchived, JudgeOfAnotherTrack, JudgeRetired, JudgeOfAFile,
    TaskKindNotAccepted, JobExists, MembersNotReady, PriceMissing.
    """
    Judge.objects.select_for_update().get(pk=judge.pk)  # serialises concurrent starts
    _check(judge, pool)
    rates = find_rates(judge=judge, pool=pool, cap_micros=cap_micros)
    job = Job.objects.create(judge=judge, pool=pool, created_by=by, priority=priority, **asdict(rates))
    Budget.objects.create(job=job, cap_micros=cap_micros)
    Budget.objects.of_track(pool.task.track)
    with connection.cursor() as cursor:
        cursor.execute(
            ADD_CALLS.format(calls=Call._meta.db_table, items=PoolItem._meta.db_table),  # noqa: SLF001
            [job.pk, pool.pk],
        )
    if judge.unit == Unit.INPUT or judge.unit.is_asked:
        plant_canaries(job=job)
    plan_job(job=job)
    if judge.endpoint:
        enqueue("judges.run_shutdown", judge.pk)
    return job


def _check(judge: Judge, pool: Pool) -> None:
    task = pool.task
    check_not_archived(task.track)
    if judge.track_id not in (None, task.track_id):
        raise JudgeOfAnotherTrack(
            f'"{judge}" does not belong to {task.track}. Choose a judge of the track or of the site.'
        )
    if judge.unit == Unit.FILE:
        raise JudgeOfAFile(f'The scores of "{judge}" came in a file. Import a file for this pool instead.')
    if judge.retired_at:
        raise JudgeRetired(f'The judge "{judge}" is retired. Choose one in use.')
    if task.kind not in judge.task_kinds:
        raise TaskKindNotAccepted(
            f'The judge "{judge}" does not take tasks of the kind "{task.get_kind_display()}". '
            f"It takes: {', '.join(judge.task_kinds)}."
        )
    job = Job.objects.exclude(state=JobState.CANCELLED).filter(judge=judge, pool=pool).first()
    if job:
        raise JobExists(
            f'The judge "{judge}" has a job on this pool, {job.get_state_display()}. '
            "Retry what failed there, or cancel it first."
        )
    if judge.unit == Unit.JUDGES:
        _check_members(judge, pool)


def _check_members(judge: Judge, pool: Pool) -> None:
    """Raise MembersNotReady unless every member has a completed job on the pool."""
    ready = Job.objects.completed().filter(pool=pool).values_list("judge__identity_sha256", flat=True)
    members = composition_of(judge.decoding).members
    missing = [member.judge for member in members if member.identity_sha256 not in set(ready)]
    if missing:
        raise MembersNotReady(
            f'"{judge}" needs the scores of all its members on the pool "{pool.name}". Let these judge it '
            f"first: {', '.join(missing)}."
        )


logger = logging.getLogger(__name__)


class NothingToRetry(InputError):
    """The job has no gaps, or is unfinished."""


@transaction.atomic
def retry_job(*, job: Job, by: User) -> None:
    """Reset the failed calls of a job to waiting and plan them again; scores do not change.

    Items are read again, so repaired texts and images count. A job without a price gets the current price.
    Raises NothingToRetry, and PriceMissing if a budget has a cap now.
    """
    again = {"state": JobState.RUNNING, "finished_at": None, "resumed_by": by}
    if not Job.objects.filter(pk=job.pk, state=JobState.COMPLETED_WITH_GAPS).update(**again):
        raise NothingToRetry(
            f"{job}: there is nothing to retry. Only a job that completed with gaps can be retried."
        )
    if job.rates == FREE_OF_CHARGE:
        rates = find_rates(judge=job.judge, pool=job.pool, cap_micros=_cap(job))
        Job.objects.filter(pk=job.pk).update(**asdict(rates))
    failed = job.calls.failed()
    # Reset the tries: else a first fault would be the last.
    count = failed.update(state=CallState.WAITING, outcome="", ended_at=None, attempt_count=0)
    with bound(job=job.pk, user=by.pk):
        logger.info("retrying %d calls", count)
    plan_job(job=job)


def _cap(job: Job) -> int | None:
    """Return the cap of the job's own budget; None also for imported scores, which have no budget."""
    return Budget.objects.filter(job=job).values_list("cap_micros", flat=True).first()
