"""Queueing: after the commit, never for a rolled back transaction, and without breaking the request."""

import pytest
from celery import Celery
from django.db import transaction
from kombu.exceptions import OperationalError

from evaluation.work.queueing import enqueue

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
