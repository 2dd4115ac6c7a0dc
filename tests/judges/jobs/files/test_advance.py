"""Requests are submitted in files, and the answers of ended batches are stored once."""

import random
from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.models import Document
from judges.jobs.running import run_shard
from judges.jobs.sweeping import sweep_jobs
from judges.models import Budget, FileState, Job, JobState, RequestFile
from tests.judges.batch_endpoint import BatchScript, End, Lines, answer_line, error_line
from tests.judges.endpoint import Endpoint
from tests.judges.jobs.files.scripted import COST, collect, look, start, submit
from trackside.judging.canaries import CANARIES

pytestmark = pytest.mark.django_db


def test_job_is_answered_from_one_file(job: Job, script: BatchScript, endpoint: Endpoint) -> None:
    submit(job)
    file = RequestFile.objects.get()
    assert (file.state, file.request_count, file.remote_state) == (FileState.SUBMITTED, 6, "validating")
    look(job)
    assert not job.calls.scored().exists()

    job = collect(job, script)

    assert job.state == JobState.COMPLETED
    keys = {str(entry): entry.request_key for entry in job.ledger.all()}
    shown = {line["custom_id"]: answer_line(line) for line in script._lines(script.batches["batch_0"])}
    said = {
        keys[name]: line["response"]["body"]["choices"][0]["message"]["content"]
        for name, line in shown.items()
    }
    assert dict(job.calls.values_list("request_key", "raw_answer")) == said
    assert len(set(script.requests)) == len(script.requests) == 6
    budget = Budget.objects.get(job=job)
    assert (budget.spent_micros, budget.reserved_micros) == (6 * COST, 0)
    assert {entry.cost_micros for entry in job.ledger.all()} == {COST}
    assert RequestFile.objects.get().state == FileState.ENDED


@pytest.mark.whole
@pytest.mark.usefixtures("with_canaries")
def test_canaries_are_in_the_file(endpoint: Endpoint, script: BatchScript) -> None:
    job = start(endpoint)
    submit(job)

    job = collect(job, script)

    assert (job.state, job.pair_count, len(script.requests)) == (JobState.COMPLETED, 6, 6 + len(CANARIES))
    assert set(job.canary_scores()) == set(CANARIES)


@pytest.mark.whole
def test_shard_is_split_into_files_that_the_endpoint_takes(
    endpoint: Endpoint, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trackside.judging.endpoints.batches.MOST_REQUESTS", 4)
    job = start(endpoint)

    submit(job)

    assert sorted(each.request_count for each in RequestFile.objects.all()) == [2, 4]
    assert collect(job, script).state == JobState.COMPLETED
    assert len(script.batches) == 2


def test_lines_that_turn_out_too_large_for_a_file_go_into_another_one(
    endpoint: Endpoint, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = start(endpoint)
    # Of two lines, whose sizes were planned smaller.
    monkeypatch.setattr("judges.jobs.files.MOST_BYTES", 2000)

    submit(job)

    assert RequestFile.objects.get().request_count == 6
    while not collect(job, script).is_completed:
        pass
    assert {len(script._lines(batch)) for batch in script.batches.values()} == {1}
    assert len(set(script.requests)) == len(script.requests) == 6


def test_unordered_repeated_and_foreign_answers_are_harmless(job: Job, script: BatchScript) -> None:
    def end(lines: Lines) -> End:
        answers = [answer_line(line) for line in lines]
        answers += [answers[0], answers[1] | {"custom_id": "ts-stranger"}]
        random.Random(1).shuffle(answers)
        return "completed", answers, []

    script.end = end
    submit(job)

    job = collect(job, script)

    assert job.state == JobState.COMPLETED
    assert Budget.objects.get(job=job).spent_micros == 6 * COST
    for call in job.calls.all():
        assert call.raw_answer == f"Relevance: {call.raw_score:.0f}"


def test_partial_output_is_stored_and_the_rest_asked_again(job: Job, script: BatchScript) -> None:
    def end(lines: Lines) -> End:
        if len(script.batches) > 1:
            return "completed", [answer_line(line) for line in lines], []
        return "expired", [answer_line(line) for line in lines[:4]], [error_line(lines[4], "batch_expired")]

    script.end = end
    submit(job)

    job = collect(job, script)

    assert job.state == JobState.COMPLETED
    assert [file.request_count for file in RequestFile.objects.order_by("created_at")] == [6, 2]
    # Expired requests are not billed: the ledger has them at cost 0, and their second try at its price.
    assert Counter(job.ledger.values_list("outcome", "cost_micros")) == {("ok", COST): 6, ("not_run", 0): 2}
    assert sorted(job.calls.values_list("attempt_count", flat=True)) == [1, 1, 1, 1, 2, 2]


def test_refused_requests_of_the_error_file_are_gaps(job: Job, script: BatchScript) -> None:
    def end(lines: Lines) -> End:
        refused = error_line(lines[0], "") | {"response": {"status_code": 400, "body": {"error": "no image"}}}
        return "completed", [answer_line(line) for line in lines[1:]], [refused]

    script.end = end
    submit(job)

    job = collect(job, script)

    assert job.outcome_counts() == {"ok": 5, "request_refused": 1}
    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.ledger.get(outcome="request_refused").cost_micros == 0
    assert len(script.batches) == 1


def test_pair_that_changed_before_it_was_submitted_is_a_gap(job: Job, script: BatchScript) -> None:
    (shard,) = job.shards.all()
    run_shard(shard_id=shard.pk)
    Document.objects.filter(docno="D2").update(image=None)
    look(job)

    job = collect(job, script)

    assert job.outcome_counts() == {"ok": 4, "image_missing": 2}
    assert len(script.requests) == 4
    assert Budget.objects.get(job=job).spent_micros == 4 * COST


def test_sweep_has_due_files_looked_after_and_leaves_their_shard_alone(
    job: Job, script: BatchScript, queued: list[tuple[str, int]]
) -> None:
    submit(job)
    (shard,) = job.shards.all()
    queued.clear()
    sweep_jobs()
    assert queued == []
    RequestFile.objects.update(poll_at=Now())
    sweep_jobs()
    sweep_jobs()

    assert queued == [("judges.run_files", shard.pk)]
    assert job.ledger.open().count() == 6


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_endpoint_is_asked(
    job: Job, script: BatchScript, monkeypatch: Any
) -> None:
    from trackside.backends.openai_batch import OpenAIBatch

    seen: list[bool] = []
    for name in ("upload", "create", "fetch", "answers"):
        ask = getattr(OpenAIBatch, name)

        def watch(self: OpenAIBatch, *given: Any, ask: Any = ask) -> Any:
            seen.append(connection.in_atomic_block)
            return ask(self, *given)

        monkeypatch.setattr(OpenAIBatch, name, watch)
    submit(job)
    collect(job, script)

    assert seen == [False] * 4


def test_job_page_shows_the_state_of_the_files(job: Job, client: Client) -> None:
    submit(job)
    client.force_login(job.created_by)

    page = client.get(reverse("job_detail", args=[job.pool.task.track.slug, job.pool.task.slug, job.pk]))

    words = " ".join(page.content.decode().split())
    assert 'with the endpoint</td><td role="cell" data-l="At the endpoint">validating<small' in words
    assert "batch_0" in words
