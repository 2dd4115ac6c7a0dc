"""Faults of single requests are parked and retried; faults of the endpoint pause the job."""

from dataclasses import replace

import pytest
from django.core.files.storage import default_storage

from evaluation.models import Document, Topic
from judges.jobs.scheduling import cancel_job, pause_job, resume_job
from judges.models import JobState
from tests.factories import make_staff
from tests.judges.factories import Scripted, make_image_pool, run_to_end
from tests.judges.jobs.asking.scripted import faulty, make_job, once, priced, run_job, shows_topic
from tests.refusals import refused
from trackside.backends.clip.texts import ModelNotFound
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointDown, EndpointError, Response, Usage
from trackside.judging.endpoints.breaker import FAILED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.mark.parametrize(
    ("fault", "tries"), [(EndpointError.SERVER_ERROR, 3), (EndpointError.REQUEST_REFUSED, 1)]
)
def test_pair_that_always_fails_is_parked_after_its_tries_and_the_others_continue(
    scripted: Scripted, fault: EndpointError, tries: int
) -> None:
    scripted.script = faulty(fault, when=shows_topic("T2"))

    job = run_job(make_image_pool(topic_count=2, image_count=1))

    assert job.outcome_counts() == {"ok": 1, fault: 1}
    assert len([ask for ask in scripted.asked if shows_topic("T2")(ask)]) == tries
    assert job.calls.get(topic="T2").attempt_count == tries
    assert set(job.ledger.exclude(outcome="ok").values_list("detail", flat=True)) == {"why"}


def test_temporary_fault_does_not_change_the_score(scripted: Scripted) -> None:
    scripted.script = once(EndpointError.TIMED_OUT, EndpointError.CONNECTION_LOST)
    job = run_job(make_image_pool(topic_count=1, image_count=2))

    assert job.state == JobState.COMPLETED
    assert sorted(job.calls.values_list("attempt_count", flat=True)) == [2, 2]


def test_pair_without_its_items_or_with_changed_ones_is_not_asked_about(scripted: Scripted) -> None:
    pool = make_image_pool(topic_count=3, image_count=3)
    Topic.objects.filter(number="T2").update(fields=[["page_title", " "]])
    Document.objects.filter(docno="D2").update(image=None)
    job = make_job(pool)
    Topic.objects.filter(number="T3").update(fields=[["page_title", "edited"]])
    lost = Document.objects.get(docno="D3").image
    assert lost is not None
    default_storage.delete(lost.small.path)

    job = run_to_end(job)

    assert job.outcome_counts() == {"image_missing": 3, "text_empty": 3, "item_changed": 2, "ok": 1}
    assert len(scripted.asked) == 1


def test_cancelled_job_keeps_what_was_paid_for_and_asks_no_more(scripted: Scripted) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=40))
    scripted.before.append(lambda: cancel_job(job=job, by=job.created_by))

    job = run_to_end(job)

    assert job.state == JobState.CANCELLED
    assert 0 < len(scripted.asked) <= 16
    assert job.scored_count == len(scripted.asked)
    assert job.calls.waiting().count() == 40 - len(scripted.asked)


def test_paused_job_continues_where_it_stopped(scripted: Scripted) -> None:
    job = make_job(make_image_pool(topic_count=1, image_count=40))
    scripted.before.append(lambda: pause_job(job=job, by=job.created_by))
    job = run_to_end(job)
    assert (job.state, job.note) == (JobState.PAUSED, f"Paused by {job.created_by}.")
    assert job.calls.waiting().exists()
    with refused("nothing-to-pause"):
        pause_job(job=job, by=make_staff())
    job.refresh_from_db()
    assert job.note == f"Paused by {job.created_by}."

    resume_job(job=job, by=job.created_by)
    job = run_to_end(job)

    assert job.state == JobState.COMPLETED
    assert len({ask.parts for ask in scripted.asked}) == len(scripted.asked) == 40
    with refused("nothing-to-resume"):
        resume_job(job=job, by=job.created_by)


def test_endpoint_that_is_down_pauses_the_job_with_the_reason(scripted: Scripted) -> None:
    def down() -> None:
        raise EndpointDown("The endpoint failed 7 times in a row.")

    scripted.before.append(down)
    job = run_job(judge=priced(), cap_micros=10**9)

    assert (job.state, job.note) == (JobState.PAUSED, "The endpoint failed 7 times in a row.")
    assert job.calls.waiting().count() == 6
    assert job.shards.filter(done_at__isnull=True).count() == 2


def test_backend_that_cannot_start_pauses_the_job(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object, settings: object) -> None:
        raise ModelNotFound("The model m cannot be loaded")

    monkeypatch.setattr(scripted, "__init__", refuse)

    job = run_job()

    assert (job.state, job.note) == (JobState.PAUSED, "The model m cannot be loaded")


def test_requests_that_all_fail_break_the_circuit_unless_they_are_of_one_topic(scripted: Scripted) -> None:
    scripted.script = faulty(EndpointError.REQUEST_REFUSED)
    job = run_job(make_image_pool(topic_count=10, image_count=10))
    assert job.state == JobState.PAUSED
    assert f"{FAILED} requests in a row" in job.note
    assert len(scripted.asked) < 2 * FAILED

    scripted.script = faulty(EndpointError.REQUEST_REFUSED, when=shows_topic("T1"))
    job = run_job(make_image_pool(topic_count=2, image_count=FAILED + 5))
    assert job.outcome_counts() == {"ok": FAILED + 5, "request_refused": FAILED + 5}


def test_model_whose_answers_give_no_score_pauses_the_job_with_its_words(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trackside.judging.endpoints.breaker.UNSCORED", 20)
    words = Response("", Reading(Outcome.UNPARSED), text="A lovely picture.", usage=Usage(1, 1))
    scripted.script = staticmethod(lambda ask: replace(words, id=ask.id))

    job = run_job(make_image_pool(topic_count=1, image_count=60))

    assert job.state == JobState.PAUSED
    assert '20 answers in a row gave no score, the last one is unparsed: "A lovely picture."' in job.note
    assert len(scripted.asked) < 60
