"""/health, /live, /ready and /metrics: health and metrics for monitoring."""

import errno
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from evaluation.config.beat import BEAT_LOCK
from evaluation.config.celery import app
from evaluation.config.monitoring import probes
from evaluation.models import RunState
from tests.factories import make_run

pytestmark = pytest.mark.django_db

WORKERS = {
    "default@a": ["default", "mail"],
    "long@a": ["imports", "scores", "reports", "operations"],
    "judges@a": ["judges"],
    "trials@a": ["trials"],
}


class Inspect:
    """Workers that answer."""

    def __init__(self, *, timeout: float) -> None:
        assert timeout <= 1

    def active_queues(self) -> dict[str, list[dict[str, str]]]:
        return {worker: [{"name": queue} for queue in queues] for worker, queues in WORKERS.items()}


@pytest.fixture(autouse=True)
def _answering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.control, "inspect", Inspect)
    caches["pages"].delete("workers")


@pytest.fixture
def _beat() -> Iterator[None]:
    """Hold the lock of a beat, in another database session."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [BEAT_LOCK])
    yield
    other.close()


@pytest.mark.usefixtures("_beat")
def test_ready_names_every_part(client: Client) -> None:
    answer = client.get("/ready")
    assert answer.status_code == 200
    parts = {"database": "answers", "queue": "answers", "storage": "answers", "beat": "answers"}
    assert answer.json() == {**parts, "workers": "answer", "work": "is taken"}


def test_ready_names_missing_workers_and_beat_but_still_serves(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(WORKERS, "judges@a")
    answer = client.get("/ready")
    assert answer.status_code == 200
    assert answer.json()["workers"] == "none for judges"
    assert answer.json()["beat"] == "does not run"


def test_ready_is_503_with_a_full_disk(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "free_bytes", lambda: probes.LEAST_FREE - 1)
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json()["storage"] == "has less than 200 MiB left"
    assert client.get("/live").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_live_needs_nothing_and_ready_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    assert client.get("/live").content == b"alive\n"
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json()["database"] == "does not answer"


def test_ready_names_missing_migrations(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name IN ('0009_import_keys', '0003_counters')")
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json()["database"] == (
        "The database lacks the migrations assessment.0003_counters, evaluation.0009_import_keys. "
        "Run manage.py migrate."
    )


def test_ready_names_migrations_of_a_newer_release(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('judges', '9_new', now())")
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert "has the migrations judges.9_new, which this release does not know" in answer.json()["database"]


def test_ready_writes_and_deletes_a_probe(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    saved, deleted = [], []
    storage = type(default_storage._wrapped)  # type: ignore[attr-defined]
    save, delete = storage._save, storage.delete

    def note_save(self: Any, name: str, content: Any) -> str:
        saved.append((name, content.read()))
        return str(save(self, name, content))

    def note_delete(self: Any, name: str) -> None:
        deleted.append(name)
        delete(self, name)

    assert client.get("/ready").status_code == 200  # makes the storage
    monkeypatch.setattr(storage, "_save", note_save)
    monkeypatch.setattr(storage, "delete", note_delete)
    assert client.get("/ready").status_code == 200
    ((name, content),) = saved
    assert (content, deleted, default_storage.exists(name)) == (b"probe", [name], False)


def test_ready_is_503_where_no_blob_can_be_written(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("evaluation.config.backends.blob_storage.WholeFileStorage._save", fail)
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["storage"]) == (503, "does not answer (OSError)")


def test_metrics_need_the_token(client: Client, settings: Settings) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "secret"
    for given in ("", "Bearer ", "Bearer other", "secret"):
        assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


@pytest.mark.usefixtures("_beat", "empty_queue")
def test_metrics_count_waiting_work_and_workers(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = "secret"
    make_run(state=RunState.RECEIVED, received_at=datetime.now(UTC) - timedelta(seconds=90))
    answer = client.get("/metrics", headers={"Authorization": "Bearer secret"})
    assert answer.status_code == 200
    found = {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }
    assert found["trackside_work_waiting check"] == 1
    assert 90 <= found["trackside_work_oldest_seconds check"] < 150
    assert found["trackside_work_waiting import"] == 0
    assert found["trackside_queue_workers imports"] == 1
    assert found["trackside_queue_messages judges"] == 0
    assert found["trackside_beat_up"] == 1
    assert found["trackside_disk_free_bytes"] > 0
    assert found["trackside_judgments_total"] == 0


def test_status_prints_the_readings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, settings: Settings
) -> None:
    settings.TRACKSIDE_VAR = tmp_path
    (tmp_path / "last-backup").touch()
    found = {each.metric for each in probes.readings()}
    call_command("status")
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == found
    assert "last_backup_timestamp_seconds" in found


@pytest.mark.django_db
@override_settings(SECURE_SSL_REDIRECT=True)
def test_health_reports_without_https_that_database_and_queue_answer(client: Client) -> None:
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"database": "answers", "queue": "answers"}


@pytest.mark.django_db
def test_health_names_a_queue_that_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.conf, "broker_write_url", "redis+socket:///nowhere/valkey.sock")
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"database": "answers", "queue": "does not answer"}


@pytest.mark.django_db(transaction=True)
def test_health_names_a_database_that_does_not_answer(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"database": "does not answer", "queue": "answers"}
