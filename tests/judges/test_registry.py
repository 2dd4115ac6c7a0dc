"""The backends by name, the one that is loaded, jobs without theirs, and the tasks of workers."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from celery import current_app
from django.test import Client

from evaluation.models import TaskKind
from judges import tasks
from judges.jobs.running import run_shard
from judges.jobs.scheduling import resume_job
from judges.models import Job, JobState
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.factories import run_to_end, started
from tests.judges.pages.setting import address
from tests.judges.pictures import file_of, picture, pinned
from trackside.backends import registry
from trackside.backends.clip.encoder import ClipEncoder
from trackside.backends.registry import BACKENDS, encoder_class, loaded_encoder
from trackside.judging.inputs import Gap
from trackside.judging.judge import Encoder, encode_files
from trackside.judging.settings import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


SETTINGS = Settings(backend="loads", revision=1, model="m", model_revision="1")


class LoadCounter(CountingEncoder):
    loads: ClassVar[list[Settings]] = []

    def __init__(self, settings: Settings) -> None:
        self.loads.append(settings)


@pytest.mark.parametrize("backend", list(BACKENDS))
def test_registered_backends_name_task_kinds_that_exist(backend: str) -> None:
    assert encoder_class(backend).task_kinds <= set(TaskKind)


@pytest.mark.parametrize("module", ["llava", "clip.encoder"])
def test_modules_of_models_import_neither_torch_nor_transformers(module: str) -> None:
    code = f"import sys, trackside.backends.{module}; print(*{{'torch', 'transformers'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_loaded_encoder_is_kept_until_another_one_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "loads", "tests.judges.test_registry:LoadCounter")
    monkeypatch.setattr(LoadCounter, "loads", [])

    first = loaded_encoder(SETTINGS)
    assert loaded_encoder(replace(SETTINGS, prompt="another prompt")) is first
    other = loaded_encoder(replace(SETTINGS, model="another model"))
    again = loaded_encoder(SETTINGS)

    assert other is not first
    assert again is not first
    assert [settings.model for settings in LoadCounter.loads] == ["m", "another model", "m"]


def encoders(tiny_clip: Path) -> list[Encoder]:
    return [ClipEncoder(pinned(tiny_clip)), CountingEncoder(SETTINGS)]


def test_fake_encoder_keeps_the_protocol_as_clip_does(tiny_clip: Path) -> None:
    for encoder in encoders(tiny_clip):
        texts = encoder.encode_texts(["a red barn", "a lighthouse", "a red barn"])
        image, gap = encode_files(encoder, [file_of(picture(1)), b"broken"])

        assert [vector.dtype for vector in texts] == [np.float32] * 3
        assert [np.linalg.norm(vector) for vector in texts] == pytest.approx([1, 1, 1], abs=1e-5)
        np.testing.assert_allclose(texts[0], texts[2], atol=1e-6)
        assert not np.allclose(texts[0], texts[1], atol=1e-3)
        assert not isinstance(image, Gap)
        assert image.shape == texts[0].shape
        assert gap is Gap.IMAGE_UNREADABLE
        assert encoder.raw_scores(np.array([0.5], np.float32)).dtype == np.float64


def test_job_waits_for_its_backend_and_continues_with_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = started()
    page = address("job_detail", job.pool.task, job)
    client.force_login(job.created_by)

    with monkeypatch.context() as without:
        without.delitem(registry.BACKENDS, "counting")
        assert client.get(page).status_code == 200
        run_shard(shard_id=job.shards.open()[0].pk)
        job.refresh_from_db()
        assert job.state == JobState.PAUSED
        assert 'There is no backend "counting". Choose one of: clip' in job.note
        assert "One that is missing may be in a package" in client.get(page).content.decode()

    resume_job(job=job, by=job.created_by)
    assert run_to_end(job).state == JobState.COMPLETED
    with monkeypatch.context() as without:
        without.delitem(registry.BACKENDS, "counting")
        assert client.get(page).status_code == 200


@pytest.mark.parametrize(
    ("name", "queue"),
    [("judges.run_shard", "judges"), ("judges.finish_job", "default"), ("judges.sweep_jobs", "default")],
)
def test_task_goes_to_its_queue(name: str, queue: str) -> None:
    assert name in current_app.tasks
    assert current_app.amqp.router.route({}, name)["queue"].name == queue


@pytest.mark.parametrize("name", ["run_shard", "run_files", "finish_job", "try_judge"])
def test_message_of_work_that_takes_minutes_is_acknowledged_before_it(name: str) -> None:
    """RabbitMQ closes the channel of a message kept for half an hour; Redis sends it again after an hour."""
    assert not current_app.tasks[f"judges.{name}"].acks_late


@pytest.mark.django_db
@pytest.mark.usefixtures("counting")
def test_tasks_twice_bring_a_job_to_its_end_once() -> None:
    job = started()

    for _ in range(2):
        tasks.sweep()
        for shard in job.shards.all():
            tasks.run(shard.pk)
        tasks.finish(job.pk)

    assert Job.objects.get().state == JobState.COMPLETED
    assert job.outcome_counts() == {"ok": 6}
