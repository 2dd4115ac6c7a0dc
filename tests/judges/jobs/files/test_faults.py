"""Endpoints that refuse or break batches, and workers that die while they submit or store."""

from contextlib import suppress
from typing import Any

import pytest

from judges.jobs.responses import store_answers, store_responses
from judges.jobs.scheduling import halt_job, resume_job
from judges.models import Budget, FileState, Job, JobState, RequestFile
from tests.judges.batch_endpoint import BatchScript, answer_line
from tests.judges.endpoint import Act, Endpoint
from tests.judges.jobs.files.scripted import COST, collect, look, start, submit
from trackside.backends.openai_batch import OpenAIBatch
from trackside.judging.asking import EndpointError, Response

pytestmark = pytest.mark.django_db


def test_answers_that_no_column_can_hold_are_collected(endpoint: Endpoint, script: BatchScript) -> None:
    def odd(line: dict[str, Any]) -> dict[str, Any]:
        found = answer_line(line)
        body = found["response"]["body"]
        body["choices"][0]["message"]["content"] += " \ud83d\0"
        body["usage"] = {"prompt_tokens": -1, "completion_tokens": 2**40}
        return found

    script.end = lambda lines: ("completed", [odd(line) for line in lines], [])
    job = start(endpoint)
    submit(job)

    done = collect(job, script)

    assert (done.state, done.scored_count) == (JobState.COMPLETED, 6)
    assert {raw[-1] for raw in job.calls.values_list("raw_answer", flat=True)} == {"\ufffd"}


def test_batch_that_the_endpoint_refuses_pauses_the_job_with_its_words(job: Job, script: BatchScript) -> None:
    script.end = lambda lines: ("failed", [], [])
    script.problems = [{"code": "invalid_json_line", "message": "No such model.", "line": 1}]
    submit(job)

    job = collect(job, script)

    assert job.state == JobState.PAUSED
    assert "No such model. (line 1)" in job.note
    assert set(job.ledger.values_list("outcome", "cost_micros")) == {("not_asked", 0)}
    assert Budget.objects.get(job=job).reserved_micros == 0

    script.end = BatchScript.end
    resume_job(job=job, by=job.created_by)
    submit(job)
    assert collect(job, script).state == JobState.COMPLETED


def test_answers_that_come_again_change_nothing(job: Job, script: BatchScript) -> None:
    submit(job)
    collect(job, script)
    file = RequestFile.objects.get()
    before = [list(rows.order_by("pk").values()) for rows in (job.ledger, job.calls)]

    store_answers(
        file=file,
        responses=[Response(str(each), fault=EndpointError.REQUEST_REFUSED) for each in file.ledger.all()],
    )

    assert [list(rows.order_by("pk").values()) for rows in (job.ledger, job.calls)] == before


def test_file_of_answers_that_is_too_large_is_fetched_once_and_pauses_the_job(
    job: Job, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trackside.backends.openai_batch.LARGEST_FILE", 100)
    submit(job)

    job = collect(job, script)

    assert job.state == JobState.PAUSED
    assert "the response has more than 100 bytes" in job.note
    assert RequestFile.objects.get().state == FileState.ENDED
    assert set(job.ledger.values_list("outcome", flat=True)) == {"malformed"}
    assert Budget.objects.get(job=job).reserved_micros == 0


def test_batch_that_was_not_made_waits_while_the_job_is_paused(
    job: Job, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(self: OpenAIBatch, file_id: str, name: str) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(OpenAIBatch, "create", die)
        with pytest.raises(MemoryError):
            submit(job)
    halt_job(job=job, state=JobState.PAUSED, note="")

    look(job)

    assert RequestFile.objects.get().state == FileState.UPLOADED
    assert not script.batches


def test_batch_that_finds_the_queue_full_is_made_again_later(job: Job, script: BatchScript) -> None:
    script.end = lambda lines: ("failed", [], [])
    script.problems = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}]
    script.is_open = False
    submit(job)
    look(job)

    file = RequestFile.objects.get()
    assert (file.state, job.state) == (FileState.UPLOADED, JobState.RUNNING)
    assert not RequestFile.objects.due().exists()

    script.end = BatchScript.end
    assert collect(job, script).state == JobState.COMPLETED
    assert len(script.files) == 2  # the requests once, and their answers


@pytest.mark.parametrize("where", ["before", "after", "unconfirmed"])
def test_batch_is_never_made_twice_if_its_making_was_not_seen(
    job: Job, script: BatchScript, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = OpenAIBatch.create
    script.is_mute = where == "unconfirmed"

    def die(self: OpenAIBatch, file_id: str, name: str) -> None:
        if where != "before":
            create(self, file_id, name)
        raise MemoryError

    with monkeypatch.context() as patch, suppress(MemoryError):
        patch.setattr(OpenAIBatch, "create", die)
        submit(job)
    assert RequestFile.objects.get().state == FileState.SUBMITTING
    look(job)

    assert len(script.batches) == 1
    assert RequestFile.objects.get().state == FileState.SUBMITTED
    job = collect(job, script)
    assert job.state == JobState.COMPLETED
    assert len(set(script.requests)) == len(script.requests) == job.ledger.count() == 6


def test_answers_are_paid_once_if_a_worker_dies_while_it_stores_them(
    job: Job, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, stored = "judges.jobs.responses", list[object]()

    def die(**given: Any) -> None:
        if stored:
            raise MemoryError
        stored.append(given)
        store_responses(**given)

    submit(job)
    script.is_open = False
    with monkeypatch.context() as patch:
        patch.setattr(f"{module}.AT_ONCE", 4)
        patch.setattr(f"{module}.store_responses", die)
        with pytest.raises(MemoryError):
            look(job)
    assert job.calls.scored().count() == 4

    job = collect(job, script)

    assert job.state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 6 * COST
    assert set(job.calls.values_list("attempt_count", flat=True)) == {1}


@pytest.mark.parametrize(
    ("path", "act"),
    [
        ("files", Act(status=503)),
        ("files", Act(is_reset=True)),
        ("batches", Act(status=429)),
        ("batches/batch_0", Act(status=500)),
        ("batches/batch_0", Act(body=b"<p>hello</p>", content_type="text/html")),
        ("files/file-1/content", Act(is_reset=True)),
    ],
)
def test_temporary_error_costs_nothing(job: Job, script: BatchScript, path: str, act: Act) -> None:
    script.refuse[path] = act
    submit(job)
    script.is_open = False
    look(job)
    assert RequestFile.objects.get().state != FileState.ENDED
    script.refuse.clear()

    job = collect(job, script)

    assert job.state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 6 * COST
    assert len(set(script.requests)) == len(script.requests) == 6


@pytest.mark.parametrize("path", ["files", "batches", "batches/batch_0"])
def test_endpoint_that_refuses_us_pauses_the_job(job: Job, script: BatchScript, path: str) -> None:
    script.refuse[path] = Act(status=401)
    submit(job)
    look(job)
    assert job.state == JobState.PAUSED
    assert "HTTP 401" in job.note
    script.refuse.clear()
    look(job)
    assert len(script.batches) == (1 if path == "batches/batch_0" else 0)

    resume_job(job=job, by=job.created_by)
    look(job)
    assert collect(job, script).state == JobState.COMPLETED
    assert len(script.batches) == 1
