"""Workers that send requests to an endpoint are killed again and again."""

from __future__ import annotations

import os
import signal
from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest

from judges.core.prompts import BUILT_IN
from judges.jobs.responses import TRIES
from judges.jobs.starting import start_job
from judges.models import Budget, Job, Price
from tests.faults.test_judge_worker import is_completed, wait_until, worker
from tests.judges.endpoint import (
    COMPLETION_TOKENS,
    PROMPT_TOKENS,
    Act,
    Endpoint,
    Plan,
    Request,
    running,
    score_of,
)
from tests.judges.factories import make_image_pool, make_judge

pytestmark = pytest.mark.whole

PROMPT = BUILT_IN[0]
PRICES = {"input_price": Decimal("2.5"), "output_price": Decimal(10)}
FAULTS = {
    (23, 7): Act(status=500),
    (31, 9): Act(is_reset=True),
    (41, 11): Act(status=429, headers={"retry-after": "0.2"}),
}
COST = round(2.5 * PROMPT_TOKENS + 10 * COMPLETION_TOKENS)


def troubles() -> Plan:
    """Respond late, and sometimes fail as endpoints do, but never three times for a pair."""
    fault_counts = Counter[str]()

    def troubled(request: Request) -> Act:
        if request.method == "GET":  # the request for the model's shutdown date
            return Act(status=404)
        act = next((act for (each, rest), act in FAULTS.items() if request.number % each == rest), None)
        fault_counts[request.shown] += act is not None
        return act if act and fault_counts[request.shown] < TRIES else Act(delay=0.7)

    return troubled


def scored_count(job: Job) -> int:
    return Job.objects.with_progress().get(pk=job.pk).scored_count


@pytest.mark.parametrize(
    ("kills", "images"),
    [(1, 60), pytest.param(15, 375, marks=pytest.mark.long)],
    ids=["short", "1,500 pairs"],
)
def test_killed_workers_ask_about_every_pair_and_keep_the_ledger_of_the_endpoint(
    kills: int, images: int, site_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A worker may die between receiving a message and claiming its shard. That message is sent again later.
    monkeypatch.setattr("judges.jobs.sweeping.LOST_AFTER", timedelta(seconds=3))
    pool = make_image_pool(topic_count=4, image_count=images)
    with running(troubles()) as endpoint:
        judge = make_judge(
            backend="openai_chat",
            model="judge-2026-01-31",
            model_revision="",
            prompt=PROMPT.template,
            answer=PROMPT.answer,
            endpoint=endpoint.url,
        )
        Price.objects.create(model=judge.model, **PRICES)
        job = start_job(judge=judge, pool=pool, by=pool.created_by, cap_micros=10**9)
        for _ in range(kills):
            before = scored_count(job)
            with worker(site_environment) as process:
                wait_until(lambda: scored_count(job) > before or is_completed(job))  # noqa: B023 - called at once
                os.killpg(process.pid, signal.SIGKILL)
        with worker(site_environment):
            wait_until(lambda: is_completed(job))
    assert Job.objects.get(pk=job.pk).note == ""

    check_scores(job, endpoint)
    check_ledger(job, endpoint)


def check_scores(job: Job, endpoint: Endpoint) -> None:
    """Every pair has the score that the endpoint gave for the pair's words and image."""
    keys = {str(entry): entry.request_key for entry in job.ledger.all()}
    given = {keys[request.id]: score_of(request.shown) for request in endpoint.asked}
    scores = dict(job.calls.values_list("request_key", "raw_score"))
    assert len(scores) == job.calls.count()
    assert scores == given


def check_ledger(job: Job, endpoint: Endpoint) -> None:
    """The ledger names every request that the endpoint received and counts at least what it bills."""
    ledger = {str(entry): entry for entry in job.ledger.all()}
    logged = {request.id for request in endpoint.asked}
    assert logged <= set(ledger)
    assert {ledger[name].outcome for name in set(ledger) - logged} <= {"lost", "lost_alone", "not_asked"}
    for name in endpoint.answered:
        entry = ledger[name]
        if entry.outcome.startswith("lost"):
            assert entry.cost_micros == entry.bound_micros > COST
        else:
            assert (entry.outcome, entry.cost_micros) == ("ok", COST)
    paid = [entry for entry in ledger.values() if entry.outcome == "ok"]
    assert {str(entry) for entry in paid} <= set(endpoint.answered)
    assert len(paid) == job.calls.count()
    budget = Budget.objects.get(job=job)
    assert (budget.spent_micros, budget.reserved_micros) == (job.ledger.all().total(), 0)
