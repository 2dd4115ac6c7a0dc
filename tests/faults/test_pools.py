"""A busy machine: pools wait for children that start slowly, and kill none."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from evaluation.models import Import, ImportKind, ImportState
from evaluation.organizing.imports.actions import receive_import
from evaluation.running.hosting import site_parts
from tests.busy_loops import KILLED, busy_loops
from tests.evaluation.conftest import children, wait_for
from tests.factories import make_organizer, make_task
from tests.faults import sleepy_children
from tests.faults.brokers.running import Parts

pytestmark = pytest.mark.whole

IMPORTS = 10


@contextmanager
def parts_of(environment: dict[str, str], log: Path) -> Iterator[Parts]:
    parts = Parts(environment, log)
    try:
        yield parts
    finally:
        parts.kill_all()


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
        parts.start("long", sleepy_children.__name__)
        wait_for(lambda: are_tried() and _is_grown(parts.log), "all imports tried, and a second child")
    assert not KILLED.search(parts.log.read_text())


def _is_grown(log: Path) -> bool:
    """Whether a child has started beside the first, whose start Celery does not limit; or was killed."""
    text = log.read_text()
    return text.count(sleepy_children.STARTED) > 1 or bool(KILLED.search(text))


@pytest.mark.xdist_group("busy-loops")  # one after the other
def test_imports_beside_busy_loops_kill_no_child(site_environment: dict[str, str], tmp_path: Path) -> None:
    with parts_of(site_environment, tmp_path / "log") as parts, busy_loops():
        parts.start("long")
        parts.start("beat")
        for _ in range(IMPORTS):
            queue_import()
        wait_for(are_tried, "all imports tried")
        pool = parts.running["long"].pid
        found = {os.getpriority(os.PRIO_PROCESS, pid) for pid in (pool, *children(pool))}
    assert found == {os.getpriority(os.PRIO_PROCESS, 0) + site_parts.NICENESS["long"]}
    assert Import.objects.count() == IMPORTS
    assert not KILLED.search(parts.log.read_text())
