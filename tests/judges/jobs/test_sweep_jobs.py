from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from judges.jobs.budgets import reserve_money
from judges.jobs.running import run_shard
from judges.jobs.scheduling import cancel_job, pause_job, resume_job
from judges.jobs.shards import ATTEMPTS
from judges.jobs.sweeping import LOST_AFTER, sweep_jobs
from judges.models import Budget, Job, JobState, LedgerEntry, Shard
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.factories import make_generator, make_image_pool, make_judge, run_to_end, started
from trackside.judging.judge import Vector

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.fixture
def job(queued: list[tuple[str, int]]) -> Job:
    planned = started()
    queued.clear()
    return planned


def first_shard(job: Job, **changes: object) -> Shard:
    shard = job.shards.all()[0]
    Shard.objects.filter(pk=shard.pk).update(**changes)
    return shard


def test_sweep_queues_a_claimed_shard_that_nobody_holds(job: Job, queued: list[tuple[str, int]]) -> None:
    sweep_jobs()
    assert queued == []  # fresh messages
    shard = first_shard(job, claimed_at=timezone.now(), attempt_count=1)

    sweep_jobs()
    sweep_jobs()

    assert queued == [("judges.run_shard", shard.pk)]


def test_sweep_leaves_a_shard_that_a_worker_claims_while_it_releases_another(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    job.shards.update(claimed_at=timezone.now() - timedelta(minutes=1), attempt_count=1)
    released: list[int] = []

    def queue(_: str, pk: int) -> None:
        released.append(pk)
        job.shards.exclude(pk=pk).update(claimed_at=timezone.now())

    monkeypatch.setattr("judges.jobs.sweeping.enqueue", queue)
    sweep_jobs()

    assert len(released) == 1
    assert job.shards.get(pk=released[0]).claimed_at is None
    assert job.shards.exclude(pk=released[0]).get().claimed_at is not None


def test_sweep_leaves_a_shard_that_is_worked_on(job: Job, queued: list[tuple[str, int]]) -> None:
    shard = first_shard(job, claimed_at=timezone.now(), attempt_count=ATTEMPTS)

    with shard.hold():
        sweep_jobs()

    assert queued == []
    assert Shard.objects.open().filter(pk=shard.pk).exists()


def test_sweep_queues_lost_messages_while_no_shard_is_worked_on(
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


def test_sweep_queues_a_lost_message_a_minute_while_other_jobs_are_worked_on(
    job: Job, queued: list[tuple[str, int]]
) -> None:
    pool = make_image_pool()
    other = started(make_judge(), pool)
    queued.clear()
    Shard.objects.update(queued_at=timezone.now() - LOST_AFTER - timedelta(seconds=5))
    first, _ = job.shards.all()

    with other.shards.all()[0].hold():
        sweep_jobs()
        sweep_jobs()

    assert queued == [("judges.run_shard", first.pk)]


def work_until_done(job: Job) -> list[type[BaseException]]:
    """Run workers and the sweeper in turn until the shards are done; return what ended the workers."""
    ends: list[type[BaseException]] = []
    for _ in range(60):
        for shard in Shard.objects.open().filter(job=job):
            try:
                run_shard(shard_id=shard.pk)
            except MemoryError as error:
                ends.append(type(error))
        sweep_jobs()
        if not Shard.objects.open().filter(job=job).exists():
            return ends
    raise AssertionError("the shards are never done")


def ending_at(monkeypatch: pytest.MonkeyPatch, *words: bytes) -> None:
    """The model ends its worker at texts with one of these words."""
    encode = CountingEncoder.encode_texts

    def end_or_encode(self: CountingEncoder, texts: Sequence[str]) -> Sequence[Vector]:
        if any(word in text.encode() for text in texts for word in words):
            raise MemoryError
        return encode(self, texts)

    monkeypatch.setattr(CountingEncoder, "encode_texts", end_or_encode)


def test_sweep_gives_up_a_shard_when_input_after_input_ends_its_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = make_image_pool(topic_count=9, image_count=1)
    job = started(make_judge(), pool)
    ending_at(monkeypatch, b"")

    # Three for the first input. The next are alone from the start: two for each that is parked, and two more.
    assert len(work_until_done(job)) == 3 + 2 + 2 + 2

    shard = job.shards.get(side="topic")
    assert "died or failed 3 times" in shard.error
    assert run_to_end(job).outcome_counts() == {"parked": 3, "backend_failed": 6}


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


@pytest.mark.parametrize(
    ("halt", "reserved", "bound"),
    [(cancel_job, 70, 30), (pause_job, 70, 30), (cancel_job, 70, 0), (pause_job, 0, 30)],
)
def test_sweep_releases_money_of_a_dead_worker_in_a_halted_job(
    scripted: object, halt: Callable[..., None], reserved: int, bound: int
) -> None:
    job = started(make_generator(), make_image_pool(topic_count=1, image_count=2))
    (shard,) = job.shards.all()
    reserve_money(shard=shard, micros=reserved)
    if bound:
        LedgerEntry.objects.create(job=job, shard=shard, request_key="k", bound_micros=bound)
    sweep_jobs()  # while the job runs, the shard's next worker settles it
    halt(job=job, by=job.created_by)
    with shard.hold():
        sweep_jobs()  # its worker is alive
    assert set(Budget.objects.values_list("reserved_micros", "spent_micros")) == {(reserved, 0)}
    assert LedgerEntry.objects.open().exists() == bool(bound)

    sweep_jobs()

    assert not LedgerEntry.objects.open().exists()
    # The request in flight may be billed: it counts at its bound.
    assert set(Budget.objects.values_list("reserved_micros", "spent_micros")) == {(0, bound)}


@pytest.mark.usefixtures("scripted")
def test_job_pauses_when_a_shard_fails_again_and_again_before_its_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = make_image_pool()
    job = started(make_generator(), pool)
    shard = job.shards.all()[0]

    def fail(**_: object) -> None:
        raise RuntimeError("/srv/models is on fire")

    monkeypatch.setattr("judges.jobs.asking.find_questions", fail)
    for _ in range(2):
        for _ in range(ATTEMPTS):
            job.refresh_from_db()
            assert job.is_active
            with pytest.raises(RuntimeError):
                run_shard(shard_id=shard.pk)
        job.refresh_from_db()
        assert job.state == JobState.PAUSED
        resume_job(job=job, by=pool.created_by)  # counts from the start
    assert job.note.startswith("A shard failed 3 times: RuntimeError: models is on fire.")
    assert mail.outbox[0].subject.endswith("paused")
