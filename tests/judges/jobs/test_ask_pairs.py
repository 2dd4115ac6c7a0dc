from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from evaluation.models import Document, Topic
from judges.core.answers import Outcome, Reading
from judges.core.asking import Ask, EndpointDown, EndpointError, Reply, Usage
from judges.core.breaker import FAILED
from judges.jobs.asking import WAVE
from judges.jobs.claims import Room, reserve_money, settle_shard
from judges.jobs.prices import PriceMissing
from judges.jobs.running import run_shard
from judges.jobs.starting import retry_job, start_job
from judges.jobs.stopping import NothingToResume, cancel_job, halt_job, resume_job
from judges.models import Budget, Job, JobState, LedgerEntry, Price, Shard
from tests.judges.factories import (
    ScriptedGenerator,
    make_generator,
    make_image_pool,
    make_text_pool,
    run_to_end,
    scripted_reply,
    scripted_score,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.models import Pool
    from judges.models import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


def make_job(pool: Pool | None = None, judge: Judge | None = None, **given: Any) -> Job:
    pool = pool or make_image_pool()
    return start_job(judge=judge or make_generator(), pool=pool, by=pool.created_by, **given)


def priced(judge: Judge) -> Judge:
    """A judge whose input token costs 1 micro, whose output token 2, whose image counts as 10 tokens."""
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(2), image_tokens=10)
    return judge


def faulty(
    fault: EndpointError, *, when: Callable[[Ask], bool] = lambda _: True
) -> staticmethod[[Ask], Reply]:
    return staticmethod(
        lambda ask: Reply(ask.id, fault=fault, detail="why") if when(ask) else scripted_reply(ask)
    )


def shows_topic(number: str) -> Callable[[Ask], bool]:
    return lambda ask: f"Page of {number}\n" in str(ask.parts[0])


def test_ask_pairs_asks_about_every_pair_once_and_keeps_the_answer(scripted: type[ScriptedGenerator]) -> None:
    job = run_to_end(make_job(make_image_pool(topic_count=3, image_count=4)))

    assert job.state == JobState.COMPLETED
    assert len(scripted.asked) == 12
    by_key = {entry.request_key: str(entry) for entry in LedgerEntry.objects.all()}
    asks = {ask.id: ask for ask in scripted.asked}
    for call in job.calls.all():
        score = scripted_score(asks[by_key[call.request_key]])
        assert (call.outcome, call.raw_score, call.raw_answer) == ("ok", score, f"Relevance: {score}")
        assert (call.finish_reason, call.input_tokens, call.output_tokens) == ("stop", 100, 5)
        assert (call.attempt_count, call.is_from_store) == (1, False)


def test_ask_pairs_shows_the_prompt_with_the_pairs_own_text_and_image(
    scripted: type[ScriptedGenerator],
) -> None:
    pool = make_image_pool(topic_count=2, image_count=2)
    run_to_end(make_job(pool))

    images = {each.image.small.read() for each in Document.objects.all() if each.image}
    shown = {ask.parts for ask in scripted.asked}
    assert shown == {
        (f"Page title: Page of {topic}\nSection title: Section of {topic}\nRelevance?", image)
        for topic in ("T1", "T2")
        for image in images
    }


def test_ask_pairs_shows_text_documents_to_image_topics(scripted: type[ScriptedGenerator]) -> None:
    job = run_to_end(make_job(make_text_pool(topic_count=1, text_count=2)))

    assert {ask.parts[0] for ask in scripted.asked} == {
        f"Caption: Caption of D{n}\nRelevance?" for n in (1, 2)
    }
    assert job.scored_count == 2


def test_ask_pairs_cuts_shards_topic_by_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.jobs.planning.PAIRS", 3)
    job = make_job(make_image_pool(topic_count=2, image_count=7))

    # Seven pairs a topic in shards of about three: two a topic, and no shard spans two topics.
    topics = dict(job.calls.values_list("pk", "topic"))
    parts = [[topics[pk] for pk, _ in shard.inputs] for shard in job.shards.all()]
    assert parts == [["T1"] * 3, ["T1"] * 4, ["T2"] * 3, ["T2"] * 4]


def test_ask_pairs_continues_to_the_jobs_further_shards(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.planning.PAIRS", 2)
    job = make_job(make_image_pool(topic_count=2, image_count=4))
    first = job.shards.first()
    assert first is not None

    run_shard(shard_id=first.pk)

    assert not Shard.objects.open().exists()
    assert run_to_end(job).state == JobState.COMPLETED
    assert len(scripted.asked) == 8


def test_ask_pairs_asks_the_same_once_whatever_the_number_of_pairs(scripted: type[ScriptedGenerator]) -> None:
    pool = make_image_pool(topic_count=1, image_count=3)
    one = Document.objects.get(docno="D1")
    Document.objects.filter(docno="D2").update(image=one.image)

    job = run_to_end(make_job(pool))

    assert len(scripted.asked) == 2
    assert job.scored_count == 3
    scores = dict(job.calls.values_list("docno", "raw_score"))
    assert scores["D1"] == scores["D2"]


def test_answered_request_is_free_in_a_later_job_of_the_same_judge(scripted: type[ScriptedGenerator]) -> None:
    from tests.factories import make_pool

    judge = priced(make_generator())
    pool = make_image_pool(topic_count=1, image_count=3)
    before = run_to_end(make_job(pool, judge))
    later = make_pool(pool.task, pairs=[("T1", "D2"), ("T1", "D3")], created_by=pool.created_by)
    scripted.asked.clear()

    job = run_to_end(make_job(later, judge))

    assert scripted.asked == []
    assert job.state == JobState.COMPLETED
    assert not job.ledger.exists()
    assert set(job.calls.values_list("is_from_store", flat=True)) == {True}
    scores = dict(before.calls.values_list("docno", "raw_score"))
    assert dict(job.calls.values_list("docno", "raw_score")) == {each: scores[each] for each in ("D2", "D3")}


def test_waiting_job_reuses_the_answers_of_another(
    scripted: type[ScriptedGenerator],
) -> None:
    from tests.factories import make_pool

    judge = priced(make_generator())
    pool = make_image_pool(topic_count=2, image_count=3)
    part = make_pool(pool.task, pairs=[("T1", "D2"), ("T2", "D3")], created_by=pool.created_by)
    first, second = make_job(pool, judge), make_job(part, judge)  # both planned, neither asked

    first, second = run_to_end(first), run_to_end(second)

    assert len(scripted.asked) == first.calls.count()
    assert second.state == JobState.COMPLETED
    assert set(second.calls.values_list("is_from_store", flat=True)) == {True}
    assert not second.ledger.exists()
    scores = dict(first.calls.of_pool().filter(topic="T1").values_list("docno", "raw_score"))
    assert second.calls.of_pool().get(topic="T1").raw_score == scores["D2"]


@pytest.mark.parametrize("change", [{"model": "another"}, {"prompt": "{image} {fields}"}, {"seed": 2}])
def test_answer_of_another_judge_is_not_reused(
    scripted: type[ScriptedGenerator], change: dict[str, Any]
) -> None:
    # OpenSearch's cache of model judgments had no model name in its key.
    same = {"model": "m", "name": "one"}
    pool = make_image_pool(topic_count=1, image_count=2)
    run_to_end(make_job(pool, make_generator(**same)))
    scripted.asked.clear()

    run_to_end(make_job(pool, make_generator(**same | {"name": "other"} | change)))

    assert len(scripted.asked) == 2


@pytest.mark.parametrize("outcome", [each for each in Outcome if not each.startswith("ok")])
def test_answer_without_a_score_is_a_gap_with_its_words(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch, outcome: Outcome
) -> None:
    # umbrela turns a failure into grade 0, Quepid turns an outage into a judgment.
    reply = Reply("", Reading(outcome), text="No.", finish_reason="stop", usage=Usage(1, 1))
    script = staticmethod(lambda ask: Reply(ask.id, reply.reading, text=reply.text, usage=reply.usage))
    monkeypatch.setattr(scripted, "script", script)

    job = run_to_end(make_job())

    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.outcome_counts() == {outcome: 6}
    assert set(job.calls.values_list("state", "raw_score", "raw_answer")) == {("failed", None, "No.")}
    assert len(scripted.asked) == 6


def test_poison_pair_is_parked_after_three_tries_and_the_others_continue(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "script", faulty(EndpointError.SERVER_ERROR, when=shows_topic("T2")))

    job = run_to_end(make_job(make_image_pool(topic_count=2, image_count=1)))

    assert job.outcome_counts() == {"ok": 1, "server_error": 1}
    assert len([ask for ask in scripted.asked if shows_topic("T2")(ask)]) == 3
    assert job.calls.get(topic="T2").attempt_count == 3
    assert set(job.ledger.exclude(outcome="ok").values_list("detail", flat=True)) == {"why"}


def test_refused_request_is_not_sent_again(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED, when=shows_topic("T2")))

    job = run_to_end(make_job(make_image_pool(topic_count=2, image_count=1)))

    assert job.outcome_counts() == {"ok": 1, "request_refused": 1}
    assert len(scripted.asked) == 2


def test_temporary_fault_does_not_change_the_score(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = iter([EndpointError.TIMED_OUT, EndpointError.CONNECTION_LOST])

    def script(ask: Ask) -> Reply:
        fault = next(faults, None)
        return Reply(ask.id, fault=fault) if fault else scripted_reply(ask)

    monkeypatch.setattr(scripted, "script", staticmethod(script))
    job = run_to_end(make_job(make_image_pool(topic_count=1, image_count=2)))

    assert job.state == JobState.COMPLETED
    assert sorted(job.calls.values_list("attempt_count", flat=True)) == [2, 2]


def test_retry_asks_about_failures_only(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED, when=shows_topic("T2")))
        job = run_to_end(make_job())
    scored = list(job.calls.scored().order_by("pk").values())
    scripted.asked.clear()

    retry_job(job=job, by=job.created_by)
    job = run_to_end(job)

    assert job.state == JobState.COMPLETED
    assert len(scripted.asked) == 3
    assert list(job.calls.filter(topic="T1").order_by("pk").values()) == scored


def test_pair_without_text_or_image_is_not_asked_about(scripted: type[ScriptedGenerator]) -> None:
    pool = make_image_pool(topic_count=2, image_count=3)
    Topic.objects.filter(number="T2").update(fields=[["page_title", " "]])
    Document.objects.filter(docno="D2").update(image=None)
    job = make_job(pool)
    lost = Document.objects.get(docno="D3").image
    assert lost is not None
    default_storage.delete(lost.small.path)

    job = run_to_end(job)

    assert job.outcome_counts() == {"text_empty": 3, "image_missing": 2, "ok": 1}
    assert len(scripted.asked) == 1


def test_pair_that_changed_after_the_planning_is_not_asked_about(scripted: type[ScriptedGenerator]) -> None:
    job = make_job()
    Topic.objects.filter(number="T1").update(fields=[["page_title", "edited"]])

    job = run_to_end(job)

    assert job.outcome_counts() == {"item_changed": 3, "ok": 3}
    assert len(scripted.asked) == 3


def test_cancelled_job_keeps_what_was_paid_for_and_asks_no_more(scripted: type[ScriptedGenerator]) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=40))
    scripted.before.append(lambda: cancel_job(job=job, by=job.created_by))

    job = run_to_end(job)

    assert job.state == JobState.CANCELLED
    assert 0 < len(scripted.asked) <= 16
    assert job.scored_count == len(scripted.asked)
    assert job.calls.waiting().count() == 40 - len(scripted.asked)


def test_paused_job_continues_where_it_stopped(scripted: type[ScriptedGenerator]) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=40))

    def pause() -> None:
        halt_job(job=job, state=JobState.PAUSED, note="")

    scripted.before.append(pause)
    job = run_to_end(job)
    assert job.state == JobState.PAUSED
    assert job.calls.waiting().exists()

    resume_job(job=job, by=job.created_by)
    job = run_to_end(job)

    assert job.state == JobState.COMPLETED
    assert len({ask.parts for ask in scripted.asked}) == len(scripted.asked) == 40
    with pytest.raises(NothingToResume):
        resume_job(job=job, by=job.created_by)


def test_endpoint_that_is_down_pauses_the_job_with_the_reason(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    def down() -> None:
        raise EndpointDown("The endpoint failed 7 times in a row.")

    scripted.before.append(down)
    job = make_job(judge=priced(make_generator()), cap_micros=10**9)
    job = run_to_end(job)

    assert (job.state, job.note) == (JobState.PAUSED, "The endpoint failed 7 times in a row.")
    assert job.calls.waiting().count() == 6
    assert job.shards.filter(done_at__isnull=True).count() == 2


def test_backend_that_cannot_start_pauses_the_job(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    from judges.backends.clip import ModelNotFound

    def refuse(self: object, settings: object) -> None:
        raise ModelNotFound("The model m cannot be loaded")

    monkeypatch.setattr(scripted, "__init__", refuse)

    job = run_to_end(make_job())

    assert (job.state, job.note) == (JobState.PAUSED, "The model m cannot be loaded")


def test_requests_that_all_fail_break_the_circuit(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED))

    job = run_to_end(make_job(make_image_pool(topic_count=10, image_count=10)))

    assert job.state == JobState.PAUSED
    assert f"{FAILED} requests in a row" in job.note
    assert len(scripted.asked) < 2 * FAILED


def test_topic_that_is_refused_does_not_stop_the_others(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED, when=shows_topic("T1")))

    job = run_to_end(make_job(make_image_pool(topic_count=2, image_count=FAILED + 5)))

    assert job.outcome_counts() == {"ok": FAILED + 5, "request_refused": FAILED + 5}


def test_topic_with_many_refusals_breaks_the_circuit(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.core.breaker.OF_ONE_TOPIC", 30)
    monkeypatch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED))

    job = run_to_end(make_job(make_image_pool(topic_count=1, image_count=60)))

    assert job.state == JobState.PAUSED
    assert "30 requests in a row" in job.note


def test_model_whose_answers_give_no_score_pauses_the_job_with_its_words(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.core.breaker.UNSCORED", 20)
    words = Reply("", Reading(Outcome.UNPARSED), text="A lovely picture.", usage=Usage(1, 1))
    monkeypatch.setattr(scripted, "script", staticmethod(lambda ask: replace(words, id=ask.id)))

    job = run_to_end(make_job(make_image_pool(topic_count=1, image_count=60)))

    assert job.state == JobState.PAUSED
    assert '20 answers in a row gave no score, the last one is unparsed: "A lovely picture."' in job.note
    assert len(scripted.asked) < 60


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

    def script(ask: Ask) -> Reply:
        if shows_topic("T3")(ask):
            raise MemoryError
        return scripted_reply(ask)

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


def test_budget_needs_a_price() -> None:
    with pytest.raises(PriceMissing, match="no price"):
        make_job(cap_micros=10)


def test_budget_of_the_track_needs_a_price_where_an_endpoint_is_asked() -> None:
    pool = make_image_pool()
    Budget.objects.create(track=pool.task.track, cap_micros=10)

    make_job(pool, make_generator())  # answers in this process
    with pytest.raises(PriceMissing, match="budget of the track"):
        make_job(pool, make_generator(endpoint="http://host/v1"))


def test_retry_of_a_job_without_a_price_keeps_to_a_cap_set_since(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, judge = make_image_pool(), make_generator(endpoint="http://host/v1")
    with monkeypatch.context() as patch:
        patch.setattr(scripted, "script", faulty(EndpointError.REQUEST_REFUSED))
        job = run_to_end(make_job(pool, judge))
    Budget.objects.filter(track=pool.task.track).update(cap_micros=10**6)

    with pytest.raises(PriceMissing):
        retry_job(job=job, by=job.created_by)
    priced(judge)
    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).ledger.all().total() == 6 * (100 + 2 * 5)


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


def bound_of(job: Job) -> int:
    """The most that a pair of these jobs costs: 64 tokens of template, 10 of image, 8 of answer, the text."""
    text = "Page title: Page of T1\nSection title: Section of T1\nRelevance?"
    return 64 + 10 + len(text) + 2 * 8


def test_job_stops_when_its_budget_has_no_room_for_a_shard(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.planning.PAIRS", 2)
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
    faults = iter([EndpointError.TIMED_OUT])

    def script(ask: Ask) -> Reply:
        fault = next(faults, None)
        return Reply(ask.id, fault=fault) if fault else scripted_reply(ask)

    monkeypatch.setattr(scripted, "script", staticmethod(script))
    bound = bound_of(Job())
    pool = make_image_pool(topic_count=1, image_count=1)

    job = run_to_end(make_job(pool, priced(make_generator()), cap_micros=2 * bound - short))

    assert job.state == state
    # The first try counts at its bound; the second is 100 tokens and 5 of twice the price.
    assert Budget.objects.get(job=job).spent_micros == bound + (0 if short else 110)


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
    script = staticmethod(lambda ask: replace(scripted_reply(ask), usage=Usage(765, 5)))
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
        scripted, "script", staticmethod(lambda ask: replace(scripted_reply(ask), usage=usage))
    )
    job = make_job(make_image_pool(topic_count=1, image_count=1), priced(make_generator()), cap_micros=10**6)

    assert run_to_end(job).state == state


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


def test_two_workers_under_a_cap_do_not_halt_a_job_with_money_left(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker finds all money reserved by the first, and the job continues once that has ended."""
    monkeypatch.setattr("judges.jobs.planning.PAIRS", 2)
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


def test_ledger_is_what_the_calls_cost(scripted: type[ScriptedGenerator]) -> None:
    job = run_to_end(make_job(judge=priced(make_generator()), cap_micros=10**6))

    assert job.ledger.count() == 6
    assert job.ledger.all().total() == 6 * (100 + 2 * 5) == Budget.objects.get(job=job).spent_micros
    assert not job.ledger.open().exists()


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
