"""Workers that die while they ask: requests are counted and asked again, or parked."""

import pytest
from django.db import connection

from judges.jobs.running import run_shard
from judges.jobs.scheduling import retry_job
from judges.models import Budget, JobState, Shard
from tests.judges.factories import (
    ScriptedGenerator,
    make_generator,
    make_image_pool,
    run_to_end,
)
from tests.judges.jobs.asking.scripted import die, faulty, make_job, once, priced, shows_topic
from trackside.judging.asking import EndpointError

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_model_answers(scripted: type[ScriptedGenerator]) -> None:
    seen: list[bool] = []
    scripted.before.append(lambda: seen.append(connection.in_atomic_block))

    run_to_end(make_job())

    assert seen == [False]


def test_dead_workers_requests_are_lost_at_their_bound_and_asked_again(
    scripted: type[ScriptedGenerator],
) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=3), priced(make_generator()), cap_micros=10**6)
    scripted.before.append(die)
    shard = job.shards.get()
    with pytest.raises(MemoryError):
        run_shard(shard_id=shard.pk)
    assert job.ledger.open().count() == 3

    job = run_to_end(job)

    assert job.state == JobState.COMPLETED
    lost = job.ledger.filter(outcome="lost")
    assert lost.count() == 3
    assert {entry.cost_micros for entry in lost} == {entry.bound_micros for entry in lost}
    # Three answers of 100 input and 5 output tokens, and three that the endpoint may bill.
    budget = Budget.objects.get(job=job)
    assert budget.spent_micros == 3 * (100 + 2 * 5) + sum(entry.bound_micros for entry in lost)
    assert budget.reserved_micros == 0


def test_retry_resets_the_count_of_tries(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(scripted, "script", faulty(EndpointError.SERVER_ERROR, when=shows_topic("T2")))
        job = run_to_end(make_job(make_image_pool(topic_count=2, image_count=1)))
    monkeypatch.setattr(scripted, "script", once(EndpointError.SERVER_ERROR))

    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).outcome_counts() == {"ok": 2}


def test_stored_answer_resets_the_count_of_crashes(scripted: type[ScriptedGenerator]) -> None:
    """Only consecutive crashes count: a crash after 16 stored answers starts a new count."""

    job = make_job(make_image_pool(topic_count=1, image_count=20))
    shard = job.shards.get()
    Shard.objects.filter(pk=shard.pk).update(attempt_count=2)
    scripted.before[:] = [lambda: None] * 8 + [die]  # batches of two, stored by 16
    with pytest.raises(MemoryError):
        run_shard(shard_id=shard.pk)

    shard.refresh_from_db()
    assert (shard.encoded_count, shard.attempt_count) == (16, 0)


def test_worker_that_dies_before_it_asks_pauses_the_job(scripted: type[ScriptedGenerator]) -> None:
    from judges.jobs.shards import ATTEMPTS
    from judges.jobs.sweeping import sweep_jobs

    job = make_job(make_image_pool(topic_count=1, image_count=1))
    Shard.objects.filter(job=job).update(claimed_at="2026-01-01T00Z", attempt_count=ATTEMPTS)

    sweep_jobs()

    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert "Read its log" in job.note


def test_worker_killed_from_outside_parks_no_pair(scripted: type[ScriptedGenerator]) -> None:
    from judges.jobs.sweeping import sweep_jobs

    job = make_job(make_image_pool(topic_count=1, image_count=8))
    shard = job.shards.get()
    for answered in range(8):  # each worker answers once and is killed
        scripted.before[:] = [lambda: None] * min(answered, 1) + [die]
        with pytest.raises(MemoryError):
            run_shard(shard_id=shard.pk)
        sweep_jobs()

    assert run_to_end(job).outcome_counts() == {"ok": 8}
