import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from judges.jobs.starting import start_job
from judges.models import Embedding, Job
from judges.registry import BACKENDS
from tests.faults.judge_worker import BATCH_SECONDS, SLOW
from tests.faults.worker_process import encoded_count, is_completed, wait_until, worker
from tests.judges.factories import make_image_pool, make_judge
from tests.judges.tiny_clip import save_tiny_clip

pytestmark = pytest.mark.whole


def scores_of(job: Job) -> dict[tuple[str, str], tuple[float | None, float | None]]:
    rows = job.calls.values_list("topic", "docno", "cosine", "raw_score")
    return {(topic, docno): (cosine, raw_score) for topic, docno, cosine, raw_score in rows}


@pytest.mark.parametrize("kills", [1, pytest.param(12, marks=pytest.mark.long)])
def test_job_survives_killed_workers_with_equal_scores(
    kills: int, site_environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACKENDS, "slow-clip", SLOW["slow-clip"])
    # A worker may die between receiving a message and claiming its shard. That message is sent again later.
    monkeypatch.setattr("judges.jobs.sweeping.LOST_AFTER", timedelta(seconds=3))
    model = {"backend": "slow-clip", "model": str(save_tiny_clip(tmp_path / "clip")), "model_revision": ""}
    pool = make_image_pool(topic_count=4, image_count=30 * kills)
    job = start_job(judge=make_judge(**model), pool=pool, by=pool.created_by)

    slow = site_environment | {BATCH_SECONDS: "0.5"}  # work for seconds is left when it is killed
    for _ in range(kills):
        before = encoded_count(job)
        with worker(slow) as process:
            wait_until(lambda: encoded_count(job) > before + 2)  # noqa: B023 - called at once
            os.killpg(process.pid, signal.SIGKILL)
        assert not is_completed(job)
    with worker(site_environment):
        wait_until(lambda: is_completed(job))
        assert Embedding.objects.count() == 4 + 30 * kills
        # Once more, without kills and stored vectors. Another seed makes another judge; encoders ignore it.
        Embedding.objects.all().delete()
        undisturbed = start_job(judge=make_judge(**model, seed=1), pool=pool, by=pool.created_by)
        wait_until(lambda: is_completed(undisturbed))

    assert len(scores_of(job)) == 4 * 30 * kills
    assert scores_of(job) == scores_of(undisturbed)
