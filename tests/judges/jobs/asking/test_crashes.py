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
    scripted_response,
)
from tests.judges.jobs.asking.scripted import faulty, make_job, priced, shows_topic
from trackside.judging.asking import Ask, EndpointError, Response

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
    def die() -> None:
        raise MemoryError

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


def test_pair_that_kills_its_worker_is_parked_alone(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    from judges.jobs.sweeping import sweep_jobs

    def script(ask: Ask) -> Response:
        if shows_topic("T3")(ask):
            raise MemoryError
        return scripted_response(ask)

    monkeypatch.setattr(scripted, "script", staticmethod(script))
    # One shard for all, with the deadly pair in the middle of it.
    job = make_job(make_image_pool(topic_count=5, image_count=1))
    first, *others = job.shards.all()
    Shard.objects.filter(pk=first.pk).update(inputs=[s.inputs[0] for s in job.shards.all()], input_count=5)
    Shard.objects.filter(pk__in=[other.pk for other in others]).update(
        done_at="2026-01-01T00Z", encoded_count=1
    )

    counts = []  # consecutive crashes, after each crash
    while Shard.objects.open().exists():
        try:
            run_shard(shard_id=first.pk)
        except MemoryError:
            sweep_jobs()
            first.refresh_from_db()
            counts.append(first.attempt_count)
        assert len(counts) < 10

    assert run_to_end(job).outcome_counts() == {"ok": 4, "parked": 1}
    assert job.calls.get(topic="T3").outcome == "parked"
    # Once among others, and three times alone; parking the pair resets the count.
    assert len(counts) == 4
    assert 0 not in counts[:-1]
    assert counts[-1] == 0


def test_retry_resets_the_count_of_tries(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(scripted, "script", faulty(EndpointError.SERVER_ERROR, when=shows_topic("T2")))
        job = run_to_end(make_job(make_image_pool(topic_count=2, image_count=1)))
    faults = iter([EndpointError.SERVER_ERROR])
    monkeypatch.setattr(
        scripted, "script", faulty(EndpointError.SERVER_ERROR, when=lambda _: bool(next(faults, None)))
    )

    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).outcome_counts() == {"ok": 2}


def test_stored_answer_resets_the_count_of_crashes(scripted: type[ScriptedGenerator]) -> None:
    """Only consecutive crashes count: a crash after 16 stored answers starts a new count."""

    def die() -> None:
        raise MemoryError

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

    def die() -> None:
        raise MemoryError

    job = make_job(make_image_pool(topic_count=1, image_count=8))
    shard = job.shards.get()
    for answered in range(8):  # each worker answers once and is killed
        scripted.before[:] = [lambda: None] * min(answered, 1) + [die]
        with pytest.raises(MemoryError):
            run_shard(shard_id=shard.pk)
        sweep_jobs()

    assert run_to_end(job).outcome_counts() == {"ok": 8}
