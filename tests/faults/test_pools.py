"""A busy machine: pools wait for children that start slowly, and kill none."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from evaluation.models import Import, ImportKind, ImportState
from evaluation.organizing.imports.actions import receive_import
from evaluation.running.hosting import site_parts
from tests.evaluation.conftest import wait_for
from tests.factories import make_organizer, make_task
from tests.faults.brokers.running import Parts
from tests.faults.sleepy_children import STARTED

pytestmark = pytest.mark.whole

KILLED = re.compile("SIGKILL|waiting for UP message|WorkerLostError|exited prematurely", re.IGNORECASE)
LOOPS, IMPORTS = 4, 10


@contextmanager
def parts_of(environment: dict[str, str], log: Path) -> Iterator[Parts]:
    parts = Parts(environment, log)
    try:
        yield parts
    finally:
        parts.kill_all()


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def queue_import() -> Import:
    task = make_task()
    return receive_import(
        task=task,
        kind=ImportKind.TOPICS,
        file=ContentFile(b"id,title\nT1,Tarn\n", "topics.csv"),
        by=make_organizer(task.track),
    )


def are_tried() -> bool:
    return not Import.objects.exclude(state=ImportState.TRIED).exists()


def test_child_that_starts_within_six_seconds_is_not_killed(
    site_environment: dict[str, str], tmp_path: Path
) -> None:
    for _ in range(3):  # so that the pool grows
        queue_import()
    with parts_of(site_environment, tmp_path / "log") as parts:
        words = ("-m", "celery", "--app=tests.faults.sleepy_children", "--quiet", *site_parts.LONG)
        parts.run("long", [sys.executable, *words])
        wait_for(lambda: are_tried() and _is_grown(parts.log), "all imports tried, and a second child")
    assert not KILLED.search(parts.log.read_text())


def _is_grown(log: Path) -> bool:
    """Whether a child has started beside the first, whose start Celery does not limit; or was killed."""
    text = log.read_text()
    return text.count(STARTED) > 1 or bool(KILLED.search(text))


def test_imports_beside_busy_loops_kill_no_child(site_environment: dict[str, str], tmp_path: Path) -> None:
    with parts_of(site_environment, tmp_path / "log") as parts, busy_loops(LOOPS):
        parts.start("long", site_parts.LONG)
        parts.start("beat", site_parts.BEAT)
        for _ in range(IMPORTS):
            queue_import()
        wait_for(are_tried, "all imports tried")
    assert Import.objects.count() == IMPORTS
    assert not KILLED.search(parts.log.read_text())
