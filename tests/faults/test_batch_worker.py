"""Workers that submit files of requests are killed at the worst moments."""

import os
import signal
import subprocess
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from judges.jobs.starting import start_job
from judges.models import Budget, FileState, Job, JobState, RequestFile
from tests.faults.worker_process import wait_until, worker
from tests.judges.batch_endpoint import BatchScript
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import make_image_pool
from tests.judges.jobs.files.scripted import COST, judge_at

pytestmark = pytest.mark.whole

AGES = 60.0  # seconds


class SlowEndpoint(BatchScript):
    """An endpoint that creates a batch at once, but responds only after a long time while it is ``slow``."""

    slow = True

    def __call__(self, request: Request) -> Act:
        act = super().__call__(request)
        is_made = request.method == "POST" and request.target == "/v1/batches"
        return replace(act, delay=AGES) if is_made and self.slow else act


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def is_submitted() -> bool:
    return RequestFile.objects.get().state == FileState.SUBMITTED


@pytest.mark.long
def test_workers_killed_while_they_submit_and_before_they_look_submit_once(
    site_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.jobs.shards.QUEUED_FOR", timedelta(seconds=1))
    monkeypatch.setattr("judges.jobs.sweeping.LOST_AFTER", timedelta(seconds=3))
    pool, script = make_image_pool(topic_count=4, image_count=10), SlowEndpoint()
    with running(script) as endpoint:
        job = start_job(judge=judge_at(endpoint), pool=pool, by=pool.created_by, cap_micros=10**9)

        def is_over() -> bool:
            RequestFile.objects.open().update(poll_at=Now())  # the minute has passed
            return Job.objects.get(pk=job.pk).state == JobState.COMPLETED

        with worker(site_environment) as process:
            wait_until(lambda: bool(script.batches))
            kill(process)
        assert RequestFile.objects.get().state == FileState.SUBMITTING
        script.slow = False
        RequestFile.objects.update(poll_at=Now())
        with worker(site_environment) as process:
            wait_until(is_submitted)
            kill(process)
        script.is_open = False
        with worker(site_environment):
            wait_until(is_over)

    assert len(script.batches) == 1
    asked = job.calls.count()
    assert len(set(script.requests)) == len(script.requests) == job.ledger.count() == asked
    assert Budget.objects.get(job=job).spent_micros == asked * COST
