from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evaluation.models import RunState
from evaluation.runs.checking import WORKER_DIED, sweep_runs
from tests.factories import make_run

pytestmark = pytest.mark.django_db


def test_sweep_runs_queues_what_has_waited_for_half_a_minute(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _, name, args: sent.append((name, args)))
    long_ago = timezone.now() - timedelta(seconds=31)
    lost = make_run(state=RunState.RECEIVED, received_at=long_ago)
    make_run(state=RunState.RECEIVED)
    tried = make_run(state=RunState.RECEIVED, received_at=long_ago, check_attempt_count=3)
    make_run(state=RunState.PARKED, received_at=long_ago)
    make_run(received_at=long_ago)
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep_runs() == 1
    assert sent == [("evaluation.check_run", (lost.pk,))]
    tried.refresh_from_db()
    assert (tried.state, tried.check_error) == (RunState.PARKED, WORKER_DIED)
