"""Workers that die while they ask or encode: requests are counted and asked again, or parked."""

import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from judges.jobs.budgets import LOST_ALONE
from judges.jobs.calls import Call, CallState
from judges.jobs.running import run_shard
from judges.jobs.scheduling import retry_job
from judges.jobs.shards import ATTEMPTS
from judges.jobs.sweeping import park_input, park_pair, sweep_jobs
from judges.models import Budget, Job, JobState, LedgerEntry, Shard
from tests.judges.factories import Scripted, make_image_pool, make_judge, run_to_end, started
from tests.judges.jobs.asking.scripted import COST, die, faulty, make_job, once, priced, run_job, shows_topic
from trackside.code_version import code_version
from trackside.judging.asking import EndpointError
from trackside.judging.inputs import Gap

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]


def make_topic_job(image_count: int) -> Job:
    """A job of one shard."""
    return make_job(make_image_pool(topic_count=1, image_count=image_count))


def run_and_die(shard: Shard) -> None:
    with pytest.raises(MemoryError):
        run_shard(shard_id=shard.pk)


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_model_answers(scripted: Scripted) -> None:
    seen: list[bool] = []
    scripted.before.append(lambda: seen.append(connection.in_atomic_block))

    run_job()

    assert seen == [False]


def test_dead_workers_requests_are_lost_at_their_bound_and_asked_again(scripted: Scripted) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=3), priced(), cap_micros=10**6)
    scripted.before.append(die)
    run_and_die(job.shards.get())
    assert job.ledger.open().count() == 3

    job = run_to_end(job)

    assert job.state == JobState.COMPLETED
    lost = job.ledger.filter(outcome="lost")
    assert lost.count() == 3
    assert {entry.cost_micros for entry in lost} == {entry.bound_micros for entry in lost}
    # Three answers, and three that the endpoint may bill.
    budget = Budget.objects.get(job=job)
    assert budget.spent_micros == 3 * COST + sum(entry.bound_micros for entry in lost)
    assert budget.reserved_micros == 0


def test_retry_resets_the_count_of_tries(scripted: Scripted) -> None:
    scripted.script = faulty(EndpointError.SERVER_ERROR, when=shows_topic("T2"))
    job = run_job(make_image_pool(topic_count=2, image_count=1))
    scripted.script = once(EndpointError.SERVER_ERROR)

    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).outcome_counts() == {"ok": 2}


def test_stored_answer_resets_the_count_of_crashes(scripted: Scripted) -> None:
    """Only consecutive crashes count: a crash after 16 stored answers starts a new count."""
    shard = make_topic_job(20).shards.get()
    Shard.objects.filter(pk=shard.pk).update(attempt_count=2)
    scripted.before[:] = [lambda: None] * 8 + [die]  # batches of two, stored by 16
    run_and_die(shard)

    shard.refresh_from_db()
    assert (shard.encoded_count, shard.attempt_count) == (16, 0)


def test_worker_that_dies_before_it_asks_pauses_the_job() -> None:
    job = make_topic_job(1)
    Shard.objects.filter(job=job).update(claimed_at="2026-01-01T00Z", attempt_count=ATTEMPTS)

    sweep_jobs()

    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert "Read its log" in job.note


def test_worker_killed_from_outside_parks_no_pair(scripted: Scripted) -> None:
    job = make_topic_job(8)
    for answered in range(8):  # each worker answers once and is killed
        scripted.before[:] = [lambda: None] * min(answered, 1) + [die]
        run_and_die(job.shards.get())
        sweep_jobs()

    assert run_to_end(job).outcome_counts() == {"ok": 8}


def send(shard: Shard, key: str, *, is_lost_alone: bool = False) -> None:
    ended = {"ended_at": Now(), "cost_micros": 0, "outcome": LOST_ALONE} if is_lost_alone else {}
    LedgerEntry.objects.create(job=shard.job, shard=shard, request_key=key, bound_micros=0, **ended)


def keys_of(shard: Shard) -> list[str]:
    return list(Call.objects.filter(job=shard.job_id).order_by("pk").values_list("request_key", flat=True))


def test_pair_that_was_alone_in_flight_at_each_death_fails_by_itself() -> None:
    shard = make_topic_job(3).shards.get()
    first, *others = keys_of(shard)
    send(shard, first, is_lost_alone=True)
    send(shard, first)
    assert not park_pair(shard=shard, attempts=3)  # it was alone at two deaths
    assert park_pair(shard=shard, attempts=2)
    call = Call.objects.get(job=shard.job_id, request_key=first)
    assert (call.state, call.outcome, call.code_version) == (CallState.FAILED, Gap.PARKED, code_version())
    assert call.ended_at is not None
    assert Call.objects.waiting().filter(job=shard.job_id, request_key__in=others).count() == len(others)
    shard.refresh_from_db()
    assert shard.attempt_count == 0
    assert not shard.ledger.open().exists()


def test_no_pair_is_parked_if_several_were_in_flight() -> None:
    shard = make_topic_job(3).shards.get()
    for key in keys_of(shard)[:2]:
        send(shard, key, is_lost_alone=True)
        send(shard, key)
    assert not park_pair(shard=shard, attempts=2)
    assert Call.objects.waiting().filter(job=shard.job_id).count() == 3


def test_nothing_is_parked_in_a_done_shard() -> None:
    shard = make_topic_job(3).shards.get()
    send(shard, keys_of(shard)[0])
    Shard.objects.filter(pk=shard.pk).update(done_at=Now(), encoded_count=F("input_count"))
    assert not park_pair(shard=shard, attempts=1)
    assert not park_input(shard=shard)
    assert shard.ledger.open().count() == 1


def test_input_is_parked_after_what_is_encoded_and_at_most_three_in_a_row() -> None:
    job = started(make_judge(), make_image_pool(topic_count=1, image_count=6))
    shard = job.shards.get(side="document")
    run_shard(shard_id=shard.pk)
    Shard.objects.filter(pk=shard.pk).update(done_at=None, encoded_count=1, attempt_count=3)
    for count in (2, 3, 4):
        assert park_input(shard=shard)
        shard.refresh_from_db()
        assert (shard.encoded_count, shard.attempt_count) == (count, 1)
    assert shard.gaps == {sha256: Gap.PARKED for _, sha256 in shard.inputs[1:4]}
    assert not park_input(shard=shard)  # three in a row: it is not the input that kills workers
    Shard.objects.filter(pk=shard.pk).update(encoded_count=5)
    assert park_input(shard=shard)  # one was encoded between them
    assert not park_input(shard=shard)  # none is left
