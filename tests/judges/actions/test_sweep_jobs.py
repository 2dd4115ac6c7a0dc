from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from judges.actions.cancel_job import cancel_job
from judges.actions.run_shard import run_shard
from judges.actions.start_job import start_job
from judges.actions.sweep_jobs import ATTEMPTS, LOST_AFTER, sweep_jobs
from judges.models import Job, JobState, Shard
from tests.judges.factories import make_image_pool, make_judge, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.fixture
def job(queued: list[tuple[str, int]]) -> Job:
    pool = make_image_pool()
    started = start_job(judge=make_judge(), pool=pool, by=pool.created_by)
    queued.clear()
    return started


def first_shard(job: Job, **changes: object) -> Shard:
    shard = job.shards.all()[0]
    Shard.objects.filter(pk=shard.pk).update(**changes)
    return shard


def test_sweep_queues_a_claimed_shard_that_nobody_holds(job: Job, queued: list[tuple[str, int]]) -> None:
    shard = first_shard(job, claimed_at=timezone.now(), attempt_count=1)

    sweep_jobs()
    sweep_jobs()

    assert queued == [("judges.run_shard", shard.pk)]


def test_sweep_leaves_a_shard_that_is_worked_on(job: Job, queued: list[tuple[str, int]]) -> None:
    shard = first_shard(job, claimed_at=timezone.now(), attempt_count=ATTEMPTS)

    with shard.hold():
        sweep_jobs()

    assert queued == []
    assert Shard.objects.open().filter(pk=shard.pk).exists()


def test_sweep_queues_a_lost_message_only_while_no_shard_is_worked_on(
    job: Job, queued: list[tuple[str, int]]
) -> None:
    long_ago = timezone.now() - LOST_AFTER - timedelta(seconds=5)
    Shard.objects.update(queued_at=long_ago)
    lost, worked_on = job.shards.all()

    with worked_on.hold():
        sweep_jobs()
    assert queued == []

    sweep_jobs()
    sweep_jobs()
    assert queued == [("judges.run_shard", lost.pk), ("judges.run_shard", worked_on.pk)]


def test_sweep_leaves_a_fresh_message_alone(job: Job, queued: list[tuple[str, int]]) -> None:
    sweep_jobs()

    assert queued == []


def test_sweep_gives_up_a_shard_that_kills_every_worker(job: Job, queued: list[tuple[str, int]]) -> None:
    shard = first_shard(job, claimed_at=timezone.now(), attempt_count=ATTEMPTS)

    sweep_jobs()

    shard.refresh_from_db()
    assert shard.done_at is not None
    assert "died or failed 3 times" in shard.error
    assert run_to_end(job).outcome_counts() == {"backend_failed": 6}


def test_sweep_queues_the_end_of_a_job_whose_shards_are_done(job: Job, queued: list[tuple[str, int]]) -> None:
    for shard in job.shards.all():
        run_shard(shard_id=shard.pk)
    queued.clear()

    sweep_jobs()

    assert queued == [("judges.finish_job", job.pk)]


def test_sweep_leaves_jobs_that_are_over(job: Job, queued: list[tuple[str, int]]) -> None:
    first_shard(job, claimed_at=timezone.now(), attempt_count=1)
    cancel_job(job=job, by=job.created_by)

    sweep_jobs()

    assert queued == []
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
