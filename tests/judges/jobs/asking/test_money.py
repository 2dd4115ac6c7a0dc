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
from judges.models import Budget, JobState, Shard
from tests.judges.factories import Scripted, make_generator, make_image_pool, run_to_end, scripted_response
from tests.judges.jobs.asking.scripted import BOUND, COST, faulty, make_job, once, priced, run_job
from tests.refusals import refused
from trackside.judging.asking import EndpointError, Usage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.mark.parametrize("endpoint", ["", "http://host/v1"])
def test_retry_of_a_job_without_a_price_keeps_to_a_cap_set_since(scripted: Scripted, endpoint: str) -> None:
    """A cap of the job; where an endpoint is asked, also one of the track."""
    judge = make_generator(endpoint=endpoint)
    scripted.script = faulty(EndpointError.REQUEST_REFUSED)
    job = run_job(judge=judge)
    capped = Budget.objects.filter(track=job.pool.task.track) if endpoint else Budget.objects.filter(job=job)
    capped.update(cap_micros=10**6)

    with refused("price-missing"):
        retry_job(job=job, by=job.created_by)
    priced(judge)
    retry_job(job=job, by=job.created_by)

    scripted.script = staticmethod(scripted_response)
    assert run_to_end(job).ledger.all().total() == 6 * COST


def test_job_stops_when_its_budget_has_no_room_for_a_shard(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)
    # After two shards 440 are spent, and a third has no room at a cap one too low.
    pool = make_image_pool(topic_count=1, image_count=6)
    job = run_job(pool, priced(), cap_micros=4 * COST + 2 * BOUND - 1)

    assert job.state == JobState.STOPPED_BY_BUDGET
    assert "Raise its cap" in job.note
    assert len(scripted.asked) == 4
    budget = Budget.objects.get(job=job)
    assert (budget.spent_micros, budget.reserved_micros) == (4 * COST, 0)

    Budget.objects.filter(job=job).update(cap_micros=4 * COST + 2 * BOUND)
    resume_job(job=job, by=job.created_by)
    assert run_to_end(job).state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 6 * COST == job.ledger.all().total()
    assert (job.ledger.count(), job.ledger.open().count()) == (6, 0)


@pytest.mark.parametrize(
    ("fault", "cap", "spent"),
    [
        (EndpointError.TIMED_OUT, 2 * BOUND, BOUND + COST),  # the first try counts at its bound
        (EndpointError.TIMED_OUT, 2 * BOUND - 1, BOUND),
        (EndpointError.SERVER_ERROR, BOUND, COST),  # is never billed
    ],
)
def test_another_try_after_a_fault_that_may_be_billed_needs_one_more_bound(
    scripted: Scripted, fault: EndpointError, cap: int, spent: int
) -> None:
    scripted.script = once(fault)

    job = run_job(make_image_pool(topic_count=1, image_count=1), priced(), cap_micros=cap)

    is_asked_again = spent != BOUND
    assert job.state == (JobState.COMPLETED if is_asked_again else JobState.STOPPED_BY_BUDGET)
    assert len(scripted.asked) == 1 + is_asked_again
    assert Budget.objects.get(job=job).spent_micros == spent


def test_shard_that_another_worker_finishes_meanwhile_is_not_asked_and_holds_no_money(
    monkeypatch: pytest.MonkeyPatch, scripted: Scripted
) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=1), priced(), cap_micros=10**6)
    shard = job.shards.get()

    def reserve(**given: Any) -> Room:
        Shard.objects.filter(pk=shard.pk).update(done_at=Now(), encoded_count=F("input_count"))
        return reserve_money(**given)

    monkeypatch.setattr("judges.jobs.asking.reserve_money", reserve)
    run_shard(shard_id=shard.pk)

    shard.refresh_from_db()
    assert (scripted.asked, shard.attempt_count, shard.claimed_at) == ([], 0, None)
    assert Budget.objects.get(job=job).reserved_micros == shard.reserved_micros == 0


def test_budget_of_the_track_holds_for_all_its_jobs() -> None:
    pool = make_image_pool(topic_count=1, image_count=2)
    first = run_job(pool, priced())
    Budget.objects.filter(track=pool.task.track).update(cap_micros=2 * COST + 2 * BOUND - 1)

    second = run_job(pool, priced())

    assert (first.state, second.state) == (JobState.COMPLETED, JobState.STOPPED_BY_BUDGET)
    assert Budget.objects.get(track=pool.task.track).spent_micros == 2 * COST


def test_answer_above_its_bound_pauses_the_job_and_names_the_price(scripted: Scripted) -> None:
    # 10 tokens for an image for which the endpoint counts 765: each pair would exceed its bound.
    scripted.script = staticmethod(lambda ask: replace(scripted_response(ask), usage=Usage(765, 5)))

    job = run_job(make_image_pool(topic_count=1, image_count=60), priced(), cap_micros=10**6)

    assert job.state == JobState.PAUSED
    assert (
        f'10 tokens for an image. Raise the tokens of an image in the price "{job.judge.model}"' in job.note
    )
    assert len(scripted.asked) <= 2 * WAVE
    assert job.scored_count == len(scripted.asked)  # paid answers are stored


def test_thoughts_that_are_billed_pause_the_job_and_are_named(scripted: Scripted) -> None:
    # 504 tokens of output are billed, and the judge asks for 8 at most.
    usage = Usage(100, 504, 500)
    scripted.script = staticmethod(lambda ask: replace(scripted_response(ask), usage=usage))

    job = run_job(make_image_pool(topic_count=1, image_count=60), priced(), cap_micros=10**6)

    assert job.state == JobState.PAUSED
    assert "504 output tokens were billed, 500 of them thoughts" in job.note
    assert job.ledger.all().thought_count() == 500 * len(scripted.asked)
    assert Budget.objects.get(job=job).spent_micros == (100 + 2 * 504) * len(scripted.asked)


def test_upstream_error_whose_tokens_are_counted_is_paid_for(scripted: Scripted) -> None:
    fault = EndpointError.SERVER_ERROR
    responses = iter([lambda ask: replace(scripted_response(ask), reading=None, fault=fault, text="")])
    scripted.script = staticmethod(lambda ask: next(responses, scripted_response)(ask))

    job = run_job(make_image_pool(topic_count=1, image_count=1), priced(), cap_micros=10**6)

    assert (job.state, Budget.objects.get(job=job).spent_micros) == (JobState.COMPLETED, 2 * COST)


@pytest.mark.parametrize(("over", "state"), [(0, JobState.COMPLETED), (1, JobState.PAUSED)])
def test_bound_may_be_reached_and_not_passed_by_a_micro(
    scripted: Scripted, over: int, state: JobState
) -> None:
    # An input token costs 1 micro, each of the 5 output tokens 2.
    usage = Usage(BOUND - 2 * 5 + over, 5)
    scripted.script = staticmethod(lambda ask: replace(scripted_response(ask), usage=usage))

    job = run_job(make_image_pool(topic_count=1, image_count=1), priced(), cap_micros=10**6)

    assert job.state == state


def test_two_workers_under_a_cap_do_not_halt_a_job_with_money_left(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker finds all money reserved by the first, and the job continues once that has ended."""
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)
    pool = make_image_pool(topic_count=1, image_count=4)
    job = make_job(pool, priced(), cap_micros=2 * COST + 2 * BOUND)
    first, second = job.shards.all()
    assert reserve_money(shard=first, micros=2 * BOUND + 1) is Room.RESERVED
    with first.hold():  # the first worker is working
        run_shard(shard_id=second.pk)
        job.refresh_from_db()
        assert job.is_active
        assert scripted.asked == []
        settle_shard(shard=first)

    assert run_to_end(job).state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 4 * COST


def test_another_try_waits_for_money_that_another_job_holds(scripted: Scripted) -> None:
    pool = make_image_pool(topic_count=1, image_count=1)
    other, job = (make_job(pool, priced()) for _ in range(2))
    Budget.objects.filter(track=pool.task.track).update(cap_micros=3 * BOUND)
    assert reserve_money(shard=other.shards.get(), micros=2 * BOUND) is Room.RESERVED
    pause_job(job=other, by=other.created_by)
    shard = job.shards.get()
    scripted.script = faulty(EndpointError.TIMED_OUT)
    run_shard(shard_id=shard.pk)

    shard.refresh_from_db()
    assert (len(scripted.asked), shard.done_at, shard.claimed_at) == (1, None, None)
    settle_shard(shard=other.shards.get())
    scripted.script = staticmethod(scripted_response)
    assert run_to_end(job).state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == BOUND + COST
