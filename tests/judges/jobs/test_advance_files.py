from __future__ import annotations

import json
import random
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.urls import reverse

from evaluation.models import Document
from judges.core.canaries import CANARIES
from judges.core.prompts import BUILT_IN
from judges.grades.finishing import finish_job
from judges.jobs.files import advance_files
from judges.jobs.running import run_shard
from judges.jobs.starting import start_job
from judges.jobs.stopping import cancel_job, pause_job, resume_job
from judges.jobs.sweeping import sweep_jobs
from judges.models import Budget, FileState, Job, JobState, Price, RequestFile
from tests.factories import make_pool
from tests.judges.batch_endpoint import BatchScript, answer_line, error_line
from tests.judges.endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, Act, Endpoint, running, score_of
from tests.judges.factories import make_image_pool, make_judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from evaluation.models import Pool
    from judges.models import Judge

pytestmark = pytest.mark.django_db
COST = PROMPT_TOKENS + 2 * COMPLETION_TOKENS  # half of 2 and 4 a million: the price of batches


@pytest.fixture
def script() -> BatchScript:
    """The endpoint: it accepts batches and has not ended one yet."""
    return BatchScript()


@pytest.fixture
def endpoint(script: BatchScript) -> Iterator[Endpoint]:
    with running(script) as found:
        yield found


def judge_at(endpoint: Endpoint, **changes: Any) -> Judge:
    given = {"model": "judge-2026-01-31", "prompt": BUILT_IN[0].template, "answer": BUILT_IN[0].answer}
    judge = make_judge(backend="openai_batch", model_revision="", endpoint=endpoint.url, **given | changes)
    Price.objects.get_or_create(
        model=judge.model,
        defaults={
            "input_price": Decimal(2),
            "output_price": Decimal(4),
            "image_tokens": 10,
            "batch_percent": 50,
        },
    )
    return judge


@pytest.fixture
def job(endpoint: Endpoint) -> Job:
    return start(endpoint)


def start(endpoint: Endpoint, pool: Pool | None = None, cap_micros: int = 10**9) -> Job:
    pool = pool or make_image_pool()
    return start_job(judge=judge_at(endpoint), pool=pool, by=pool.created_by, cap_micros=cap_micros)


def submit(job: Job) -> None:
    """Run the workers' tasks until the endpoint has all files."""
    for shard in job.shards.all():
        run_shard(shard_id=shard.pk)
        advance_files(shard_id=shard.pk)


def look(job: Job) -> None:
    """Let the time pass until files are due again."""
    RequestFile.objects.update(poll_at=Now())
    for shard in job.shards.all():
        advance_files(shard_id=shard.pk)
    job.refresh_from_db()


def collect(job: Job, script: BatchScript) -> Job:
    """Let the endpoint end its batches until no request is left."""
    script.is_open = False
    for _ in range(6):
        look(job)
        for shard in job.shards.open():
            run_shard(shard_id=shard.pk)
        if job.is_active and not job.shards.open().exists():
            finish_job(job_id=job.pk)
    return Job.objects.with_progress().get(pk=job.pk)


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
    monkeypatch.setattr("judges.core.batches.MOST_REQUESTS", 4)
    job = start(endpoint)

    submit(job)

    assert sorted(each.request_count for each in RequestFile.objects.all()) == [2, 4]
    assert collect(job, script).state == JobState.COMPLETED
    assert len(script.batches) == 2


def test_unordered_repeated_and_foreign_answers_are_harmless(job: Job, script: BatchScript) -> None:
    def end(lines: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
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
    def end(lines: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
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


def test_request_missing_from_a_completed_batch_counts_at_its_bound(job: Job, script: BatchScript) -> None:
    script.end = lambda lines: ("completed", [answer_line(line) for line in lines[1:]], [])
    submit(job)

    job = collect(job, script)

    # It is alone in its second and third batch, so these have no answer at all, which pauses the job.
    lost = job.ledger.filter(outcome="no_answer")
    assert {entry.cost_micros for entry in lost} == {entry.bound_micros for entry in lost}
    assert job.state == JobState.PAUSED
    assert "had no answer" in job.note


def test_refused_requests_of_the_error_file_are_gaps(job: Job, script: BatchScript) -> None:
    def end(lines: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
        refused = error_line(lines[0], "") | {"response": {"status_code": 400, "body": {"error": "no image"}}}
        return "completed", [answer_line(line) for line in lines[1:]], [refused]

    script.end = end
    submit(job)

    job = collect(job, script)

    assert job.outcome_counts() == {"ok": 5, "request_refused": 1}
    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.ledger.get(outcome="request_refused").cost_micros == 0
    assert len(script.batches) == 1


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


@pytest.mark.parametrize("where", ["before", "after"])
def test_batch_is_never_made_twice_whether_the_worker_died_before_or_after(
    job: Job, script: BatchScript, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judges.backends.openai_batch import OpenAIBatch

    create = OpenAIBatch.create

    def die(self: OpenAIBatch, file_id: str, name: str) -> None:
        if where == "after":
            create(self, file_id, name)
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(OpenAIBatch, "create", die)
        with pytest.raises(MemoryError):
            submit(job)
    assert RequestFile.objects.get().state == FileState.SUBMITTING
    look(job)

    assert len(script.batches) == 1
    assert RequestFile.objects.get().state == FileState.SUBMITTED
    job = collect(job, script)
    assert job.state == JobState.COMPLETED
    assert len(set(script.requests)) == len(script.requests) == job.ledger.count() == 6


def test_batch_whose_making_was_not_confirmed_is_found(job: Job, script: BatchScript) -> None:
    script.is_mute = True
    submit(job)
    assert RequestFile.objects.get().state == FileState.SUBMITTING

    look(job)

    assert RequestFile.objects.get().state == FileState.SUBMITTED
    assert collect(job, script).state == JobState.COMPLETED
    assert len(script.batches) == 1


def test_answers_are_paid_once_if_a_worker_dies_while_it_stores_them(
    job: Job, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judges.jobs.responses import store_responses

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


def test_paused_job_stores_answers_and_submits_nothing(
    endpoint: Endpoint, script: BatchScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.core.batches.MOST_REQUESTS", 3)
    job = start(endpoint)
    (shard,) = job.shards.all()
    run_shard(shard_id=shard.pk)
    _, second = RequestFile.objects.order_by("created_at")
    RequestFile.objects.filter(pk=second.pk).update(poll_at="2100-01-01T00Z")
    advance_files(shard_id=shard.pk)
    pause_job(job=job, by=job.created_by)

    job = collect(job, script)

    assert (job.scored_count, len(script.batches)) == (3, 1)
    second.refresh_from_db()
    assert second.state == FileState.WRITTEN
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


def test_pair_that_changed_before_it_was_submitted_is_a_gap(job: Job, script: BatchScript) -> None:
    (shard,) = job.shards.all()
    run_shard(shard_id=shard.pk)
    Document.objects.filter(docno="D2").update(image=None)
    look(job)

    job = collect(job, script)

    assert job.outcome_counts() == {"ok": 4, "image_missing": 2}
    assert len(script.requests) == 4
    assert Budget.objects.get(job=job).spent_micros == 4 * COST


def test_stored_answers_are_reused(job: Job, script: BatchScript) -> None:
    submit(job)
    collect(job, script)
    later = make_pool(job.pool.task, pairs=[("T1", "D2"), ("T1", "D3")], created_by=job.created_by)

    again = start_job(judge=job.judge, pool=later, by=job.created_by)

    assert not again.shards.exists()
    assert set(again.calls.values_list("is_from_store", flat=True)) == {True}
    assert len(script.batches) == 1


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
    from judges.backends.openai_batch import OpenAIBatch

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


def test_scores_are_those_of_the_words_and_the_image(
    job: Job, script: BatchScript, endpoint: Endpoint
) -> None:
    submit(job)
    collect(job, script)

    keys = {str(entry): entry.request_key for entry in job.ledger.all()}
    lines = script._lines(script.batches["batch_0"])
    given = {
        keys[line["custom_id"]]: score_of(json.dumps(line["body"]["messages"], sort_keys=True))
        for line in lines
    }
    assert dict(job.calls.values_list("request_key", "raw_score")) == given


def test_job_page_shows_the_state_of_the_files(job: Job, client: Client) -> None:
    submit(job)
    client.force_login(job.created_by)

    page = client.get(reverse("job_detail", args=[job.pool.task.track.slug, job.pool.task.slug, job.pk]))

    words = " ".join(page.content.decode().split())
    assert "with the endpoint</td><td>validating<small" in words
    assert "batch_0" in words
