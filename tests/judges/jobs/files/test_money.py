"""Files keep to budgets; paused and cancelled jobs submit nothing and pay for what was answered."""

from collections.abc import Callable

import pytest
from django.db.models.functions import Now

from evaluation.models import Archiving
from judges.jobs.files import advance_files
from judges.jobs.responses import TRIES
from judges.jobs.running import run_shard
from judges.jobs.scheduling import cancel_job, pause_job, resume_job
from judges.models import Budget, FileState, Job, JobState, RequestFile
from tests.judges.batch_endpoint import BatchScript, End, Lines, answer_line
from tests.judges.endpoint import Endpoint
from tests.judges.jobs.files.scripted import COST, collect, look, start, submit

pytestmark = pytest.mark.django_db


def test_first_file_under_a_cap_is_a_small_one(
    endpoint: Endpoint, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.files.TRIAL", 2)
    job = start(endpoint)

    submit(job)
    assert [file.request_count for file in RequestFile.objects.all()] == [2]
    done = collect(job, script)

    assert done.state == JobState.COMPLETED
    assert sorted(file.request_count for file in RequestFile.objects.all()) == [2, 4]
    assert sorted(script.requests) == sorted(set(script.requests))


def test_batch_above_its_bounds_pauses_the_job(
    endpoint: Endpoint, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.files.TRIAL", 2)
    monkeypatch.setattr("tests.judges.endpoint.PROMPT_TOKENS", 10**6)
    job = start(endpoint)
    submit(job)

    done = collect(job, script)

    assert (done.state, done.scored_count, len(script.requests)) == (JobState.PAUSED, 2, 2)
    assert "Raise the tokens of an image" in done.note


def test_request_that_is_missing_from_three_batches_counts_at_its_bound_and_is_a_gap(
    job: Job, script: BatchScript
) -> None:
    lost: Lines = []

    def end(lines: Lines) -> End:
        lost.append(lines[0])
        return "completed", [answer_line(line) for line in lines if line["body"] != lost[0]["body"]], []

    script.end = end
    submit(job)
    job = collect(job, script)
    # It is alone in its second and third batch, so these have no answer at all, which pauses the job.
    assert (job.state, "had no answer" in job.note) == (JobState.PAUSED, True)
    while job.state == JobState.PAUSED:
        resume_job(job=job, by=job.created_by)
        submit(job)
        job = collect(job, script)

    assert job.state == JobState.COMPLETED_WITH_GAPS
    failed = job.calls.failed().get()
    assert (failed.outcome, failed.attempt_count, len(lost)) == ("no_answer", TRIES, TRIES)
    entries = job.ledger.filter(request_key=failed.request_key, outcome="no_answer")
    assert [entry.cost_micros for entry in entries] == [entry.bound_micros for entry in entries]
    assert len(entries) == TRIES


def pause(job: Job) -> None:
    pause_job(job=job, by=job.created_by)


def archive(job: Job) -> None:
    Archiving.objects.create(track=job.pool.task.track, archived_by=job.created_by)


@pytest.mark.parametrize("halt", [pause, archive])
def test_halted_job_stores_answers_and_submits_nothing(
    endpoint: Endpoint,
    script: BatchScript,
    monkeypatch: pytest.MonkeyPatch,
    halt: Callable[[Job], None],
) -> None:
    monkeypatch.setattr("trackside.judging.endpoints.batches.MOST_REQUESTS", 3)
    job = start(endpoint)
    (shard,) = job.shards.all()
    run_shard(shard_id=shard.pk)
    _, second = RequestFile.objects.order_by("created_at")
    RequestFile.objects.filter(pk=second.pk).update(poll_at="2100-01-01T00Z")
    advance_files(shard_id=shard.pk)
    halt(job)

    job = collect(job, script)

    assert (job.state, job.scored_count, len(script.batches)) == (JobState.PAUSED, 3, 1)
    second.refresh_from_db()
    assert second.state == FileState.WRITTEN
    RequestFile.objects.update(poll_at=Now())
    assert not RequestFile.objects.due().contains(second)
    Archiving.objects.all().delete()
    resume_job(job=job, by=job.created_by)
    assert collect(job, script).state == JobState.COMPLETED
    assert len(script.batches) == 2


def test_cancelled_job_cancels_its_batches_and_pays_for_what_was_answered(
    job: Job, script: BatchScript
) -> None:
    script.end = lambda lines: ("cancelled", [answer_line(line) for line in lines[:2]], [])
    submit(job)
    cancel_job(job=job, by=job.created_by)
    look(job)
    assert script.batches["batch_0"]["status"] == "cancelling"

    job = collect(job, script)

    assert (job.state, job.scored_count) == (JobState.CANCELLED, 2)
    budget = Budget.objects.get(job=job)
    assert (budget.spent_micros, budget.reserved_micros) == (2 * COST, 0)
    assert not RequestFile.objects.open().exists()


def test_cancelled_job_submits_nothing(job: Job, script: BatchScript) -> None:
    (shard,) = job.shards.all()
    run_shard(shard_id=shard.pk)
    cancel_job(job=job, by=job.created_by)
    look(job)

    assert (script.files, script.batches) == ({}, {})
    assert Budget.objects.get(job=job).reserved_micros == 0
    assert not RequestFile.objects.open().exists()


def test_budget_is_reserved_before_a_file_is_submitted(endpoint: Endpoint, script: BatchScript) -> None:
    job = start(endpoint, cap_micros=COST)

    submit(job)

    job.refresh_from_db()
    assert job.state == JobState.STOPPED_BY_BUDGET
    assert (script.files, job.ledger.count()) == ({}, 0)
