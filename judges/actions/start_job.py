"""Order a judge to score a pool."""

from __future__ import annotations

from django.db import connection, transaction

from evaluation.core.errors import InputError
from evaluation.models import Pool, PoolItem, User
from judges.actions.plan_job import plan_job
from judges.models import Call, Job, JobState, Judge

ADD_CALLS = """
    INSERT INTO {calls} (job_id, topic, docno) SELECT %s, topic, docno FROM {items} WHERE pool_id = %s
"""


class JudgeRetired(InputError):
    """The judge takes no new jobs."""


class TaskKindNotAccepted(InputError):
    """The judge cannot read what the task's topics and documents are made of."""


class JobExists(InputError):
    """The judge has a job on this pool already."""


@transaction.atomic
def start_job(*, judge: Judge, pool: Pool, by: User) -> Job:
    """Store a job with a waiting call for each pair of the pool, and queue its shards.

    Raises JudgeRetired, TaskKindNotAccepted, JobExists.
    """
    Judge.objects.select_for_update().get(pk=judge.pk)  # two people who start at once wait here
    _check(judge, pool)
    job = Job.objects.create(judge=judge, pool=pool, created_by=by)
    with connection.cursor() as cursor:
        cursor.execute(
            ADD_CALLS.format(calls=Call._meta.db_table, items=PoolItem._meta.db_table),  # noqa: SLF001
            [job.pk, pool.pk],
        )
    plan_job(job=job)
    return job


def _check(judge: Judge, pool: Pool) -> None:
    task = pool.task
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
