"""Queueing after the commit, without breaking the request; a sandbox's environment and end."""

import io
import os
import signal
from pathlib import Path

import pytest
from celery import Celery
from django.db import transaction
from kombu.exceptions import OperationalError

from evaluation.tracks.work.queueing import enqueue
from evaluation.tracks.work.sandbox import SandboxCrashed, sandbox
from tests.evaluation.submissions.runs.checking import SOUND
from trackside.sandbox.limits import Limits

pytestmark = pytest.mark.django_db(transaction=True)


def test_enqueue_sends_after_the_commit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr(Celery, "send_task", lambda _, name, args: sent.append((name, args)))
    with transaction.atomic():
        enqueue("judges.run_shard", 6)
        transaction.set_rollback(True)
    with transaction.atomic():
        enqueue("judges.run_shard", 7)
        assert sent == []
    assert sent == [("judges.run_shard", (7,))]


def test_enqueue_survives_a_queue_that_is_down(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(Celery, "send_task", refuse)
    with transaction.atomic():
        enqueue("judges.run_shard", 7)
    assert "connection refused" in caplog.text


def test_sandbox_gets_nothing_of_the_site_s_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_SITE", "sentinel")
    with sandbox("check", io.BytesIO(SOUND), limits=Limits(256_000_000, 60, 60.0)) as running:
        environment = Path(f"/proc/{running.process_id}/environ").read_bytes()
    assert b"sentinel" not in environment


def test_killed_sandbox_is_distinguished_from_one_that_reached_a_limit() -> None:
    values = {"max_per_topic": 9, "tag_max": 9, "seed": 1}
    limits = Limits(256_000_000, 60, 60.0)
    with sandbox("check", io.BytesIO(SOUND), limits=limits, values=values, content=b'["T1"]') as running:
        messages = running.messages()
        assert next(messages).kind == "unknown"  # it waits for the reply
        os.kill(running.process_id, signal.SIGKILL)
        with pytest.raises(SandboxCrashed, match="exit code -9"):
            next(messages)
