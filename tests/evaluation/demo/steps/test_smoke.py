"""The demo in small, in one process: the real actions and tasks build its track and report on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from celery import Celery, current_app

from evaluation.demo.steps.build import build_track, finish_track
from evaluation.demo.steps.training import training
from evaluation.models import Phase, Report, RunState, Task
from tests.evaluation.demo.conftest import SMALL
from tests.evaluation.demo.given import given
from tests.evaluation.demo.quiet import silent


def run_now(app: Celery, name: str, args: tuple[int, ...]) -> None:
    app.tasks[name](*args)


def is_done(count: Callable[[], tuple[int, int]], text: str) -> None:
    done, total = count()
    assert done == total, text  # the task ran when it was queued


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sandbox_threads")
def test_demo_builds_its_track_and_reports(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    current_app.loader.import_default_modules()
    monkeypatch.setattr(Celery, "send_task", run_now)

    with training(given(clip)) as ready:
        track = build_track(ready, silent, is_done, size=SMALL)
        finish_track(track, is_done)

    phases = {task.slug: task.phase for task in Task.objects.with_phase().filter(track=track)}
    assert phases == {"suggestion": Phase.JUDGING, "promotion": Phase.RELEASED}
    for task, run_count in (("suggestion", 16), ("promotion", 4)):
        runs = track.tasks.get(slug=task).runs
        assert [run.state for run in runs.all()] == [RunState.ACCEPTED] * run_count
        report = Report.objects.filter(task__slug=task).latest()
        names = [judge.name for judge in report.summary.judges]
        assert names == ["clip-context-only", "clip-four-fields", "clipscore-2021"]
        assert [yardstick.name for yardstick in report.summary.yardsticks] == ["second assessor"]
