"""Workers that send requests to an endpoint are killed again and again."""

import os
import signal
from collections import Counter
from datetime import timedelta

import pytest

from judges.jobs.responses import TRIES
from judges.jobs.starting import start_job
from judges.models import Job, Price
from tests.faults.asked_jobs import PRICES, check_ledger, check_scores, scored_count
from tests.faults.worker_process import is_completed, wait_until, worker
from tests.judges.endpoint import Act, Plan, Request, running
from tests.judges.factories import make_image_pool, make_judge
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = pytest.mark.whole

PROMPT = BUILT_IN[0]
FAULTS = {
    (23, 7): Act(status=500),
    (31, 9): Act(is_reset=True),
    (41, 11): Act(status=429, headers={"retry-after": "0.2"}),
}


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
