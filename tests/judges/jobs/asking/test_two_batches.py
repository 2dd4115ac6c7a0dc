"""Jobs of models in the worker's process: the next batch is read while one is computed."""

from collections.abc import Iterator, Sequence
from threading import Condition

import pytest

from evaluation.collections.blobs import Blob
from judges.jobs.running import run_shard
from judges.jobs.scheduling import pause_job, resume_job
from judges.models import JobState
from tests.judges.factories import Scripted, ScriptedGenerator, make_image_pool, run_to_end
from tests.judges.jobs.asking.scripted import die, make_job
from trackside.backends.registry import BACKENDS
from trackside.judging.asking import Ask, Response, Take
from trackside.judging.batching import two_in_flight

PATIENCE = 60  # seconds; a busy host needs some
COUNT = 20


class BatchedGenerator(ScriptedGenerator):
    """Computes batches of two in a thread."""

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        return two_in_flight(take, lambda: 2, list, self._computed)

    def _computed(self, asks: Sequence[Ask]) -> list[Response]:
        if self.before:
            self.before.pop(0)()
        self.asked.extend(asks)
        return [type(self).script(ask) for ask in asks]


@pytest.fixture(autouse=True)
def batched(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "scripted", f"{__name__}:BatchedGenerator")
    monkeypatch.setattr("judges.jobs.asking.WAVE", 1)
    monkeypatch.setattr("judges.jobs.asking.STORE", 1)


@pytest.mark.django_db
def test_pictures_of_the_next_batch_are_read_while_one_is_computed(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=COUNT))
    read, is_read, overlaps = list[str](), Condition(), list[bool]()
    load = Blob.read

    def reading(blob: Blob) -> bytes:
        with is_read:
            read.append(blob.sha256)
            is_read.notify_all()
        return load(blob)

    def compute() -> None:
        following = min(COUNT, len(scripted.asked) + 4)
        with is_read:
            overlaps.append(is_read.wait_for(lambda: len(read) == following, PATIENCE))

    monkeypatch.setattr(Blob, "read", reading)
    scripted.before[:] = [compute] * (COUNT // 2)

    assert run_to_end(job).outcome_counts() == {"ok": COUNT}
    assert overlaps == [True] * (COUNT // 2)
    assert len(scripted.asked) == len(set(read)) == COUNT


@pytest.mark.django_db
def test_killed_worker_loses_the_batch_that_was_computed(scripted: Scripted) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=COUNT))
    scripted.before[:] = [lambda: None] * 3 + [die]

    with pytest.raises(MemoryError):
        run_shard(shard_id=job.shards.get().pk)

    assert job.calls.scored().count() == 6
    assert job.ledger.open().count() == 4
    assert run_to_end(job).outcome_counts() == {"ok": COUNT}
    assert len(scripted.asked) == COUNT


@pytest.mark.django_db
def test_paused_job_ends_with_the_batches_in_flight_and_continues(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=COUNT))
    load, count = Blob.read, iter(range(COUNT))

    def reading(blob: Blob) -> bytes:
        if next(count, None) == 4:
            pause_job(job=job, by=job.created_by)
        return load(blob)

    monkeypatch.setattr(Blob, "read", reading)
    run_shard(shard_id=job.shards.get().pk)

    job.refresh_from_db()
    assert (job.state, len(scripted.asked)) == (JobState.PAUSED, 6)
    assert job.calls.scored().count() == 6
    resume_job(job=job, by=job.created_by)
    assert run_to_end(job).outcome_counts() == {"ok": COUNT}
    assert len(scripted.asked) == COUNT
