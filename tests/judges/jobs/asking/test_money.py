"""Asking keeps to budgets and caps, and the ledger holds what it costs."""

from dataclasses import replace
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now

from judges.jobs.asking import WAVE
from judges.jobs.budgets import Room, reserve_money, settle_shard
from judges.jobs.running import run_shard
from judges.jobs.scheduling import pause_job, resume_job, retry_job
from judges.models import Budget, Job, JobState, Shard
from tests.judges.factories import (
    ScriptedGenerator,
    make_generator,
    make_image_pool,
    run_to_end,
    scripted_response,
)
from tests.judges.jobs.asking.scripted import bound_of, faulty, make_job, once, priced
from tests.refusals import refused
from trackside.judging.asking import EndpointError, Usage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


def test_budget_needs_a_price() -> None:
    with refused("price-missing", match="no price"):
        make_job(cap_micros=10)


def test_budget_of_the_track_needs_a_price_where_an_endpoint_is_asked() -> None:
    pool = make_image_pool()
    Budget.objects.create(track=pool.task.track, cap_micros=10)

    make_job(pool, make_generator())  # answers in this process
    with refused("price-missing", match="budget of the track"):
        make_job(pool, make_generator(endpoint="http://host/v1"))


def test_retry_of_a_job_without_a_price_keeps_to_a_cap_set_since(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, judge = make_image_pool(), make_generator(endpoint="http://host/v1")
    with monkeypatch.context() as patch:
        patch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED))
        job = run_to_end(make_job(pool, judge))
    Budget.objects.filter(track=pool.task.track).update(cap_micros=10**6)

    with refused("price-missing"):
        retry_job(job=job, by=job.created_by)
    priced(judge)
    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).ledger.all().total() == 6 * (100 + 2 * 5)


def test_retry_of_a_job_without_a_price_keeps_to_its_own_cap_set_since(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED))
    job = run_to_end(make_job())
    Budget.objects.filter(job=job).update(cap_micros=10**6)

    with refused("price-missing"):
        retry_job(job=job, by=job.created_by)


def test_job_stops_when_its_budget_has_no_room_for_a_shard(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)
    bound = bound_of(Job())
    # Each answer costs 110, so after two shards 440 are spent and a third has no room at a cap one too low.
    job = make_job(
        make_image_pool(topic_count=1, image_count=6),
        priced(make_generator()),
        cap_micros=440 + 2 * bound - 1,
    )

    job = run_to_end(job)

    assert job.state == JobState.STOPPED_BY_BUDGET
    assert "Raise its cap" in job.note
    assert len(scripted.asked) == 4
    budget = Budget.objects.get(job=job)
    assert (budget.spent_micros, budget.reserved_micros) == (440, 0)

    Budget.objects.filter(job=job).update(cap_micros=440 + 2 * bound)
    resume_job(job=job, by=job.created_by)
    assert run_to_end(job).state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 660


@pytest.mark.parametrize(("short", "state"), [(0, JobState.COMPLETED), (1, JobState.STOPPED_BY_BUDGET)])
def test_another_try_after_a_fault_that_may_be_billed_needs_one_more_bound(
    monkeypatch: pytest.MonkeyPatch, scripted: type[ScriptedGenerator], short: int, state: JobState
) -> None:
    monkeypatch.setattr(scripted, "script", once(EndpointError.TIMED_OUT))
    bound = bound_of(Job())
    pool = make_image_pool(topic_count=1, image_count=1)

    job = run_to_end(make_job(pool, priced(make_generator()), cap_micros=2 * bound - short))

    assert job.state == state
    # The first try counts at its bound; the second is 100 tokens and 5 of twice the price.
    assert Budget.objects.get(job=job).spent_micros == bound + (0 if short else 110)


def test_another_try_after_a_fault_that_is_never_billed_needs_no_more_money(
    monkeypatch: pytest.MonkeyPatch, scripted: type[ScriptedGenerator]
) -> None:
    monkeypatch.setattr(scripted, "script", once(EndpointError.SERVER_ERROR))
    pool = make_image_pool(topic_count=1, image_count=1)

    job = run_to_end(make_job(pool, priced(make_generator()), cap_micros=bound_of(Job())))

    assert (job.state, len(scripted.asked)) == (JobState.COMPLETED, 2)
    assert Budget.objects.get(job=job).spent_micros == 110


def test_shard_that_another_worker_finishes_meanwhile_is_not_asked_and_holds_no_money(
    monkeypatch: pytest.MonkeyPatch, scripted: type[ScriptedGenerator]
) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=1), priced(make_generator()), cap_micros=10**6)
    shard = job.shards.get()

    def reserve(**given: Any) -> Room:
        Shard.objects.filter(pk=shard.pk).update(done_at=Now(), encoded_count=F("input_count"))
        return reserve_money(**given)

    monkeypatch.setattr("judges.jobs.asking.reserve_money", reserve)
    run_shard(shard_id=shard.pk)

    shard.refresh_from_db()
    assert (scripted.asked, shard.attempt_count, shard.claimed_at) == ([], 0, None)
    assert Budget.objects.get(job=job).reserved_micros == shard.reserved_micros == 0


def test_budget_of_the_track_holds_for_all_its_jobs(scripted: type[ScriptedGenerator]) -> None:
    pool = make_image_pool(topic_count=1, image_count=2)
    first = run_to_end(make_job(pool, priced(make_generator())))
    Budget.objects.filter(track=pool.task.track).update(cap_micros=220 + 2 * bound_of(first) - 1)

    second = run_to_end(make_job(pool, priced(make_generator())))

    assert (first.state, second.state) == (JobState.COMPLETED, JobState.STOPPED_BY_BUDGET)
    assert Budget.objects.get(track=pool.task.track).spent_micros == 220


def test_answer_above_its_bound_pauses_the_job_and_names_the_price(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    # 10 tokens for an image for which the endpoint counts 765: each pair would exceed its bound.
    script = staticmethod(lambda ask: replace(scripted_response(ask), usage=Usage(765, 5)))
    monkeypatch.setattr(scripted, "script", script)
    job = make_job(make_image_pool(topic_count=1, image_count=60), priced(make_generator()), cap_micros=10**6)

    job = run_to_end(job)

    assert job.state == JobState.PAUSED
    assert (
        f'10 tokens for an image. Raise the tokens of an image in the price "{job.judge.model}"' in job.note
    )
    assert len(scripted.asked) <= 2 * WAVE
    assert job.scored_count == len(scripted.asked)  # paid answers are stored


@pytest.mark.parametrize(("over", "state"), [(0, JobState.COMPLETED), (1, JobState.PAUSED)])
def test_bound_may_be_reached_and_not_passed_by_a_micro(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch, over: int, state: JobState
) -> None:
    # An input token costs 1 micro, each of the 5 output tokens 2.
    usage = Usage(bound_of(Job()) - 2 * 5 + over, 5)
    monkeypatch.setattr(
        scripted, "script", staticmethod(lambda ask: replace(scripted_response(ask), usage=usage))
    )
    job = make_job(make_image_pool(topic_count=1, image_count=1), priced(make_generator()), cap_micros=10**6)

    assert run_to_end(job).state == state


def test_two_workers_under_a_cap_do_not_halt_a_job_with_money_left(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker finds all money reserved by the first, and the job continues once that has ended."""
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)
    bound = bound_of(Job())
    job = make_job(
        make_image_pool(topic_count=1, image_count=4), priced(make_generator()), cap_micros=220 + 2 * bound
    )
    first, second = job.shards.all()
    assert reserve_money(shard=first, micros=2 * bound + 1) is Room.RESERVED
    with first.hold():  # the first worker is working
        run_shard(shard_id=second.pk)
        job.refresh_from_db()
        assert job.is_active
        assert scripted.asked == []
        settle_shard(shard=first)

    assert run_to_end(job).state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 4 * 110


def test_another_try_waits_for_money_that_another_job_holds(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    bound = bound_of(Job())
    pool = make_image_pool(topic_count=1, image_count=1)
    other, job = (make_job(pool, priced(make_generator())) for _ in range(2))
    Budget.objects.filter(track=pool.task.track).update(cap_micros=3 * bound)
    assert reserve_money(shard=other.shards.get(), micros=2 * bound) is Room.RESERVED
    pause_job(job=other, by=other.created_by)
    shard = job.shards.get()
    with monkeypatch.context() as patch:
        patch.setattr(scripted, "script", faulty(EndpointError.TIMED_OUT))
        run_shard(shard_id=shard.pk)

    shard.refresh_from_db()
    assert (len(scripted.asked), shard.done_at, shard.claimed_at) == (1, None, None)
    settle_shard(shard=other.shards.get())
    assert run_to_end(job).state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == bound + 110


def test_ledger_is_what_the_calls_cost(scripted: type[ScriptedGenerator]) -> None:
    job = run_to_end(make_job(judge=priced(make_generator()), cap_micros=10**6))

    assert job.ledger.count() == 6
    assert job.ledger.all().total() == 6 * (100 + 2 * 5) == Budget.objects.get(job=job).spent_micros
    assert not job.ledger.open().exists()
