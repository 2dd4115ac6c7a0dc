"""Faults of single requests are parked and retried; faults of the endpoint pause the job."""

from dataclasses import replace

import pytest
from django.core.files.storage import default_storage

from evaluation.models import Document, Topic
from judges.jobs.scheduling import cancel_job, halt_job, pause_job, resume_job, retry_job
from judges.models import JobState
from tests.factories import make_staff
from tests.judges.factories import (
    ScriptedGenerator,
    make_generator,
    make_image_pool,
    run_to_end,
)
from tests.judges.jobs.asking.scripted import faulty, make_job, once, priced, shows_topic
from tests.refusals import refused
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointDown, EndpointError, Response, Usage
from trackside.judging.endpoints.breaker import FAILED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


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
    monkeypatch.setattr(scripted, "script", once(EndpointError.TIMED_OUT, EndpointError.CONNECTION_LOST))
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


def test_paused_job_is_not_paused_again() -> None:
    job = make_job()
    pause_job(job=job, by=job.created_by)
    with refused("nothing-to-pause"):
        pause_job(job=job, by=make_staff())
    job.refresh_from_db()
    assert job.note == f"Paused by {job.created_by}."


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
    with refused("nothing-to-resume"):
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
    from judges.backends.clip.encoder import ModelNotFound

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


def test_model_whose_answers_give_no_score_pauses_the_job_with_its_words(
    scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trackside.judging.endpoints.breaker.UNSCORED", 20)
    words = Response("", Reading(Outcome.UNPARSED), text="A lovely picture.", usage=Usage(1, 1))
    monkeypatch.setattr(scripted, "script", staticmethod(lambda ask: replace(words, id=ask.id)))

    job = run_to_end(make_job(make_image_pool(topic_count=1, image_count=60)))

    assert job.state == JobState.PAUSED
    assert '20 answers in a row gave no score, the last one is unparsed: "A lovely picture."' in job.note
    assert len(scripted.asked) < 60
