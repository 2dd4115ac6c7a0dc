"""Order a judge to score a pool."""

from __future__ import annotations

from dataclasses import asdict

from django.db import connection, transaction

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from evaluation.models import Pool, PoolItem, User
from judges.actions.find_rates import find_rates
from judges.actions.plan_job import plan_job
from judges.actions.plant_canaries import plant_canaries
from judges.core.composition import composition_of
from judges.core.judge import Unit
from judges.models import Budget, Call, Job, JobState, Judge

ADD_CALLS = """
    INSERT INTO {calls} (job_id, topic, docno) SELECT %s, topic, docno FROM {items} WHERE pool_id = %s
"""


class JudgeRetired(InputError):
    """The judge takes no new jobs."""


class TaskKindNotAccepted(InputError):
    """The judge cannot read what the task's topics and documents are made of."""


class JudgeOfAFile(InputError):
    """The judge's scores came in a file: there is nothing to ask."""


class MembersNotReady(InputError):
    """A member of an ensemble has not judged the pool."""


class JobExists(InputError):
    """The judge has a job on this pool already."""


@transaction.atomic
def start_job(*, judge: Judge, pool: Pool, by: User, cap_micros: int | None = None, priority: int = 0) -> Job:
    """Store a job with a waiting call for each pair of the pool and each canary, and queue its shards.

    ``cap_micros`` is the most that it may cost; None leaves that to the track's budget. The job keeps the
    price that the table has now. Raises JudgeRetired, JudgeOfAFile, TaskKindNotAccepted, JobExists,
    MembersNotReady, PriceMissing.
    """
    Judge.objects.select_for_update().get(pk=judge.pk)  # two people who start at once wait here
    _check(judge, pool)
    rates = find_rates(judge=judge, pool=pool, cap_micros=cap_micros)
    job = Job.objects.create(judge=judge, pool=pool, created_by=by, priority=priority, **asdict(rates))
    Budget.objects.create(job=job, cap_micros=cap_micros)
    Budget.objects.get_or_create(track=pool.task.track)
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
    """Every member has a completed job on the pool."""
    ready = Job.objects.completed().filter(pool=pool).values_list("judge__identity_sha256", flat=True)
    members = composition_of(judge.decoding).members
    missing = [member.judge for member in members if member.identity_sha256 not in set(ready)]
    if missing:
        raise MembersNotReady(
            f'"{judge}" needs the scores of all its members on the pool "{pool.name}". Let these judge it '
            f"first: {', '.join(missing)}."
        )
