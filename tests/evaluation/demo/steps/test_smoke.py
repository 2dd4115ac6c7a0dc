"""The demo in small, in one process: the real actions and tasks build its track and report on it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from celery import Celery, current_app

from evaluation.demo.steps.build import build_track
from evaluation.demo.steps.training import ModelFolders
from evaluation.models import Phase, Report, RunState, Task
from tests.evaluation.demo.conftest import SMALL


def run_now(app: Celery, name: str, args: tuple[int, ...]) -> None:
    app.tasks[name](*args)


def is_so(is_done: Callable[[], bool]) -> None:
    assert is_done()  # the task ran when it was queued


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sandbox_threads")
def test_demo_builds_its_track_and_reports(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.judges.tiny_llava import save_tiny_llava  # imports torch

    current_app.loader.import_default_modules()
    monkeypatch.setattr(Celery, "send_task", run_now)
    llava = save_tiny_llava(tmp_path / "llava", answer="Grade: 1")

    track = build_track(ModelFolders(clip, llava), print, is_so, SMALL)

    phases = {task.slug: task.phase for task in Task.objects.with_phase().filter(track=track)}
    assert phases == {"suggestion": Phase.JUDGING, "promotion": Phase.RELEASED}
    clips = ["clip-context-only", "clip-four-fields", "clipscore-2021"]
    for task, run_count, judges in (("suggestion", 16, [*clips, "tiny-llava"]), ("promotion", 4, clips)):
        runs = track.tasks.get(slug=task).runs
        assert [run.state for run in runs.all()] == [RunState.ACCEPTED] * run_count
        report = Report.objects.filter(task__slug=task).latest()
        assert [judge.name for judge in report.summary.judges] == judges
        assert [yardstick.name for yardstick in report.summary.yardsticks] == ["second assessor"]
