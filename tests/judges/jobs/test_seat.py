"""Threads of one worker: one runs a shard, while jobs that only wait for answers hold their own requests."""

import time
from collections.abc import Callable
from threading import Event, Thread

import pytest
from django.db import connection

from judges.jobs.running import run_shard
from judges.models import Job
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import make_endpoint_judge, make_image_pool, make_judge, run_to_end, started

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("counting")]

PATIENCE = 60  # seconds; a busy host needs some


def beside(shard_id: int) -> Thread:
    """Run a shard in a thread of its own."""

    def run() -> None:
        try:
            run_shard(shard_id=shard_id)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def until(is_met: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_met():
        assert time.monotonic() < end
        time.sleep(0.02)


def first_waits(is_time: Event) -> Callable[[Request], Act]:
    """Answer the first question when it is time, the others at once."""
    asked = list[Request]()

    def act(request: Request) -> Act:
        asked.extend([request] * (request.method == "POST"))
        return Act(is_time=is_time.is_set if asked == [request] else lambda: True)

    return act


def shard_of(job: Job) -> int:
    return job.shards.all()[0].pk


def test_silent_request_of_one_job_holds_no_other_job() -> None:
    is_time = Event()
    with running(first_waits(is_time)) as silent, running() as endpoint:
        pool = make_image_pool()
        waiting, quick = started(make_endpoint_judge(silent.url), pool), started(make_judge(), pool)
        third = started(make_endpoint_judge(endpoint.url), pool)
        thread = beside(shard_of(waiting))
        until(lambda: len(silent.answered) == 5)

        until(lambda: run_to_end(quick).is_completed)
        until(lambda: run_to_end(third).is_completed)
        assert waiting.shards.open().exists()

        is_time.set()
        thread.join(PATIENCE)
        assert run_to_end(waiting).is_completed
        assert len(silent.asked) == 6


def test_thread_without_the_seat_gives_its_message_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = list[tuple[str, int]]()
    monkeypatch.setattr("judges.jobs.running.enqueue", lambda name, pk: sent.append((name, pk)))
    monkeypatch.setattr("judges.jobs.running.SEAT_SECONDS", 0.01)
    is_time = Event()
    with running(lambda _: Act(is_time=is_time.is_set)) as endpoint:
        pool = make_image_pool()
        first, second = started(make_endpoint_judge(endpoint.url), pool), started(make_judge(), pool)
        monkeypatch.setattr("judges.jobs.asking.SILENT_SECONDS", 1e9)
        monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "2")  # every slot is taken: more could be sent
        thread = beside(shard_of(first))
        until(lambda: len(endpoint.asked) == 2)

        run_shard(shard_id=shard_of(second))

        assert sent == [("judges.run_shard", shard_of(second))]
        assert second.shards.open().exists()
        is_time.set()
        thread.join(PATIENCE)
        assert run_to_end(second).is_completed


def test_endpoint_that_is_silent_in_every_slot_holds_no_other_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.jobs.asking.SILENT_SECONDS", 0.5)
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)  # a shard, so that the silent job has free ones
    monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "2")
    is_time = Event()
    with running(lambda _: Act(is_time=is_time.is_set)) as endpoint:
        pool = make_image_pool()
        silent, quick = started(make_endpoint_judge(endpoint.url), pool), started(make_judge(), pool)
        thread = beside(shard_of(silent))
        until(lambda: len(endpoint.asked) == 2)

        until(lambda: run_to_end(quick).is_completed)

        is_time.set()
        thread.join(PATIENCE)
        assert run_to_end(silent).is_completed
        assert endpoint.peak == 2


def test_message_of_a_job_that_another_thread_has_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = list[tuple[str, int]]()
    monkeypatch.setattr("judges.jobs.running.enqueue", lambda name, pk: sent.append((name, pk)))
    monkeypatch.setattr("judges.jobs.running.SEAT_SECONDS", 0.01)
    monkeypatch.setattr("judges.jobs.asking.SILENT_SECONDS", 0.0)
    monkeypatch.setattr("judges.jobs.questions.PAIRS", 2)
    monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "1")
    is_time = Event()
    with running(lambda _: Act(is_time=is_time.is_set)) as endpoint:
        job = started(make_endpoint_judge(endpoint.url), make_image_pool())
        thread = beside(shard_of(job))
        until(lambda: len(endpoint.asked) == 1)
        last = job.shards.order_by("-pk")[0].pk

        while ("judges.run_shard", last) not in sent:
            run_shard(shard_id=last)

        assert len(endpoint.asked) == 1
        is_time.set()
        thread.join(PATIENCE)
        assert run_to_end(job).is_completed
