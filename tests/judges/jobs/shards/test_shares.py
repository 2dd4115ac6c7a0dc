"""Tracks and people share judge workers: a track waits for one shard or a minute, not for hours."""

import pytest

from evaluation.models import Pool, User
from judges.jobs.budgets import Room
from judges.jobs.running import run_shard
from judges.jobs.scheduling import TASK_SECONDS, TURN_SECONDS, must_yield, next_shard
from judges.models import CallState, FileState, Job, RequestFile, Shard
from tests.factories import make_organizer, make_pool
from tests.judges.factories import ScriptedGenerator, make_generator, make_image_pool, make_judge, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def _job(pool: Pool | None = None, *, by: User | None = None, priority: int = 0) -> Job:
    """A job of an encoder: a shard of its text and one of its images."""
    pool = pool or make_image_pool(topic_count=1, image_count=1)
    return started(make_judge(), pool, by=by or pool.created_by, priority=priority)


def _same_task(pool: Pool) -> Pool:
    return make_pool(pool.task, pairs=list(pool.items.values_list("topic", "docno")))


def _in_turn(first: Job) -> list[Job]:
    """Send the messages of the first job only, until no shard is left; the jobs whose shards were run."""
    done: list[Job] = []
    while shard := first.shards.open().first() or Shard.objects.open().first():
        before = set(Shard.objects.open())
        run_shard(shard_id=shard.pk)
        done += [each.job for each in before - set(Shard.objects.open())]
    return done


def test_tracks_take_turns_shard_by_shard() -> None:
    busy, other = _job(), _job()
    assert _in_turn(busy) == [busy, other, busy, other]


def test_urgent_job_goes_first_in_its_track() -> None:
    calm = _job()
    urgent = _job(_same_task(calm.pool), priority=1)
    assert _in_turn(calm) == [urgent, urgent, calm, calm]


def test_priority_has_no_effect_in_other_tracks() -> None:
    calm, urgent = _job(), _job(priority=9)
    assert _in_turn(calm) == [calm, urgent, calm, urgent]


def test_organizers_of_a_track_take_turns() -> None:
    busy = _job()
    colleague = make_organizer(busy.pool.task.track)
    other = _job(_same_task(busy.pool), by=colleague)
    assert _in_turn(busy) == [busy, other, busy, other]


def test_skipped_shard_is_queued_again(queued: list[tuple[str, int]]) -> None:
    busy, _ = _job(), _job()
    first, second = busy.shards.all()
    run_shard(shard_id=first.pk)
    queued.clear()
    run_shard(shard_id=second.pk)
    assert ("judges.run_shard", second.pk) in queued


def test_shard_whose_budget_has_no_room_stops_no_other_track(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch, queued: list[tuple[str, int]]
) -> None:
    without, other = (
        started(make_generator(), pool)
        for pool in (make_image_pool(topic_count=1, image_count=1) for _ in range(2))
    )
    rooms = {without.pk: Room.LATER, other.pk: Room.RESERVED}
    monkeypatch.setattr("judges.jobs.asking.reserve_money", lambda *, shard, micros: rooms[shard.job_id])
    queued.clear()
    shard = other.shards.get()
    run_shard(shard_id=shard.pk)
    assert not other.calls.waiting().exists()
    assert without.calls.filter(state=CallState.WAITING).exists()
    assert ("judges.run_shard", shard.pk) not in queued


def test_shard_with_a_file_at_an_endpoint_has_no_turn() -> None:
    job = _job()
    for shard in job.shards.all():
        RequestFile.objects.create(shard=shard, request_count=1, state=FileState.UPLOADED)
    assert next_shard() is None


def test_worker_leaves_a_long_job_for_other_tracks_after_a_minute() -> None:
    job = _job()
    assert not must_yield(job, TURN_SECONDS + 1), "nobody else waits"
    assert must_yield(job, TASK_SECONDS + 1)
    _job(_same_task(job.pool))
    assert not must_yield(job, TURN_SECONDS + 1), "the other job is of the same track"
    _job(priority=9)
    assert not must_yield(job, TURN_SECONDS - 1)
    assert must_yield(job, TURN_SECONDS + 1)
    _job(_same_task(job.pool), priority=1)
    assert must_yield(job, 0.0)
