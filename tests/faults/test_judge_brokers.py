"""On every broker, the shards of a killed worker continue from their rows, and nothing is done twice."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from evaluation.config.celery import app
from judges.jobs.starting import start_job
from judges.models import CallState, Embedding, Job, Judge, Price
from tests.faults.asked_jobs import PRICES, check_ledger, check_scores, scored_count, slowly
from tests.faults.brokers.running import KINDS, parts_on
from tests.faults.judge_worker import BATCH_SECONDS, SLOW
from tests.faults.slow_counting import ENCODED
from tests.faults.worker_process import encoded_count, is_completed, wait_until, worker
from tests.judges.endpoint import Endpoint, running
from tests.judges.factories import make_image_pool, make_judge
from tests.judges.pair_kinds import CARE, make_kind_pool, prompt_of
from trackside.backends.registry import BACKENDS
from trackside.judging.judge import EVERY_KIND
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = pytest.mark.whole

BATCH = 2  # inputs of a batch, which a worker may lose
TOPICS, IMAGES = 2, 24
PAIRS = 96  # more than requests in flight
OTHER_KINDS = ["text-text", "image-image", "three images"]


@pytest.fixture(autouse=True)
def _lost_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count a message as lost after three seconds, not after a minute."""
    monkeypatch.setattr("judges.jobs.sweeping.LOST_AFTER", timedelta(seconds=3))


def forget_messages() -> None:
    """Delete every message that the broker has for workers of judges: rows alone are left."""
    with app.connection_for_write() as connection:
        for queue in ("judges", "default"):
            bound = app.amqp.queues[queue](connection.default_channel)
            bound.declare()
            bound.purge()


def kill_midway(count: Callable[[], int], most: int, environment: dict[str, str], job: Job) -> None:
    """Kill the worker in the middle of the job, and drop all messages."""
    with worker(environment) as process:
        wait_until(lambda: count() > BATCH)
        os.killpg(process.pid, signal.SIGKILL)
    assert BATCH < count() < most
    assert not is_completed(job)
    forget_messages()


@pytest.mark.parametrize("kind", KINDS)
def test_encoding_continues_where_a_killed_worker_stopped(
    kind: str, site_environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACKENDS, "slow-counting", SLOW["slow-counting"])
    pool = make_image_pool(topic_count=TOPICS, image_count=IMAGES)
    encoded = tmp_path / "encoded"
    with parts_on(kind, site_environment | {ENCODED: str(encoded)}, tmp_path) as parts:
        job = start_job(judge=make_judge(backend="slow-counting"), pool=pool, by=pool.created_by)
        slow = parts.env | {BATCH_SECONDS: "0.5"}
        kill_midway(lambda: encoded_count(job), TOPICS + IMAGES, slow, job)
        with worker(parts.env):
            wait_until(lambda: is_completed(job))
    assert Embedding.objects.count() == TOPICS + IMAGES
    assert job.calls.filter(state=CallState.DONE).count() == TOPICS * IMAGES
    # When its shard ends, each image is encoded once more, to measure the error of its small copy.
    doubled = len(encoded.read_text().split()) - (TOPICS + 2 * IMAGES)
    assert 0 <= doubled <= BATCH


@pytest.mark.parametrize("sides", OTHER_KINDS)
def test_encoding_of_other_kinds_of_pairs_continues_after_a_kill(
    sides: str, site_environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACKENDS, "slow-counting", SLOW["slow-counting"])
    pool, encoded = make_kind_pool(sides, documents=IMAGES), tmp_path / "encoded"
    with parts_on("valkey", site_environment | {ENCODED: str(encoded)}, tmp_path) as parts:
        judge = make_judge(backend="slow-counting", task_kinds=EVERY_KIND)
        job = start_job(judge=judge, pool=pool, by=pool.created_by)
        kill_midway(lambda: encoded_count(job), 1 + IMAGES, parts.env | {BATCH_SECONDS: "0.5"}, job)
        with worker(parts.env):
            wait_until(lambda: Job.objects.get(pk=job.pk).is_completed)
    assert scored_count(job) == IMAGES
    times = Counter(encoded.read_text().split())
    assert Embedding.objects.count() == len(times)
    # A batch is lost at the kill, and single images are encoded once more to measure their small copies.
    assert max(times.values()) <= 3
    assert sum(count > 2 for count in times.values()) <= BATCH


def test_a_busy_worker_outlives_the_consumer_timeout(
    site_environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RabbitMQ closes the channel of a worker that holds its next message for 5 s while it encodes."""
    monkeypatch.setitem(BACKENDS, "slow-counting", SLOW["slow-counting"])
    pools = [make_image_pool(topic_count=TOPICS, image_count=IMAGES) for _ in range(2)]
    changes = {ENCODED: str(tmp_path / "encoded"), BATCH_SECONDS: "0.8"}  # 12 batches of images a job
    with parts_on("rabbitmq", site_environment | changes, tmp_path) as parts:
        judge = make_judge(backend="slow-counting")
        jobs = [start_job(judge=judge, pool=pool, by=pool.created_by) for pool in pools]
        with worker(parts.env) as process:
            wait_until(lambda: all(is_completed(job) for job in jobs) or process.poll() is not None)
            assert process.poll() is None, "the worker ended"
    log = "".join(path.read_text(errors="replace") for path in (tmp_path / "log").glob("*.log"))
    assert "delivery acknowledgement on channel" in log, "the broker closed no channel"
    assert sum(job.calls.filter(state=CallState.DONE).count() for job in jobs) == 2 * TOPICS * IMAGES


@contextmanager
def asked_judge(prompt: str = BUILT_IN[0].template) -> Iterator[tuple[Endpoint, Judge]]:
    """An endpoint, and a priced judge that calls it."""
    with running(slowly) as endpoint:
        judge = make_judge(
            backend="openai_chat",
            model="judge-2026-01-31",
            model_revision="",
            prompt=prompt,
            answer=BUILT_IN[0].answer,
            endpoint=endpoint.url,
        )
        Price.objects.create(model=judge.model, **PRICES)
        yield endpoint, judge


@pytest.mark.parametrize("kind", KINDS)
def test_asking_continues_where_a_killed_worker_stopped(
    kind: str, site_environment: dict[str, str], tmp_path: Path
) -> None:
    pool = make_image_pool(topic_count=TOPICS, image_count=IMAGES * 2)
    with asked_judge() as (endpoint, judge), parts_on(kind, site_environment, tmp_path) as parts:
        job = start_job(judge=judge, pool=pool, by=pool.created_by, cap_micros=10**9)
        kill_midway(lambda: scored_count(job), TOPICS * IMAGES * 2, parts.env, job)
        with worker(parts.env):
            wait_until(lambda: is_completed(job))
            check_scores(job, endpoint)
        check_asked_once(job, endpoint)


@pytest.mark.parametrize("sides", OTHER_KINDS)
def test_asking_about_other_kinds_of_pairs_continues_after_a_kill(
    sides: str, site_environment: dict[str, str], tmp_path: Path
) -> None:
    pool = make_kind_pool(sides, documents=PAIRS)
    prompt = f"{prompt_of(sides)}\n{CARE}"
    with asked_judge(prompt) as (endpoint, judge), parts_on("valkey", site_environment, tmp_path) as parts:
        job = start_job(judge=judge, pool=pool, by=pool.created_by, cap_micros=10**9)
        kill_midway(lambda: scored_count(job), PAIRS, parts.env, job)
        with worker(parts.env):
            wait_until(lambda: Job.objects.get(pk=job.pk).is_completed)
        check_asked_once(job, endpoint)
    assert scored_count(job) == PAIRS


def check_asked_once(job: Job, endpoint: Endpoint) -> None:
    """Only requests that were in flight at the kill are sent again."""
    check_ledger(job, endpoint)
    again = Counter(entry.request_key for entry in job.ledger.all())
    lost = set(job.ledger.filter(outcome__startswith="lost").values_list("request_key", flat=True))
    assert {key for key, times in again.items() if times > 1} <= lost
    assert max(again.values()) <= 2
