"""Zips of reports: a worker packs each once, and keeps it for an hour."""

from __future__ import annotations

import os
import time
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.core.files.storage import default_storage

from evaluation.models import Phase, Report, Scope, Task
from evaluation.reports.actions import compute_report
from evaluation.reports.packing import MOST_KEPT
from evaluation.runs.editing import withdraw_run
from evaluation.tasks import pack
from tests.evaluation.api.conftest import program_of
from tests.factories import make_organizer, make_qrels, make_run, make_task

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

HOUR = 3600


@pytest.fixture(autouse=True)
def task(client: Client) -> Task:
    cache.clear()
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)
    for tag in ("a", "b"):
        make_run(task, tag=tag, results={"T1": ["D1", "D2"], "T2": ["D2"]})
    make_qrels(task, name="people", grades={("T1", "D1"): 1, ("T2", "D1"): 0})
    compute_report(task=task)
    client.force_login(make_organizer(task.track))
    return task


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    monkeypatch.setattr("evaluation.reports.packing.enqueue", lambda name, pk: found.append((name, pk)))
    return found


def address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/bundle.zip"


def folder(task: Task) -> str:
    return f"bundles/{task.pk}"


def test_page_queues_the_packing_once_and_sends_the_zip_later(
    client: Client, task: Task, queued: list[tuple[str, int]]
) -> None:
    for _ in range(15):  # the browser requests it again; only the packing has a rate
        waiting = client.get(address(task))
        assert (waiting.status_code, waiting.headers["Refresh"]) == (202, "10")
    assert queued == [("evaluation.pack_report", Report.objects.get().pk)]
    pack(Report.objects.get().pk)
    sent = b"".join(client.get(address(task)))
    assert "runs/a.run.gz" in zipfile.ZipFile(BytesIO(sent)).namelist()
    assert len(queued) == 1


def test_api_says_that_the_zip_is_being_packed(task: Task, queued: list[tuple[str, int]]) -> None:
    program = program_of(make_organizer(task.track), Scope.READ, Scope.ORGANIZE)
    answer = program.get(f"/api/v1/tracks/{task.track.slug}/tasks/{task.slug}/report/bundle")
    assert answer.status_code == 503
    assert "being packed" in answer.json()["detail"]
    assert len(queued) == 1


def test_old_zip_is_packed_again(client: Client, task: Task, queued: list[tuple[str, int]]) -> None:
    pack(Report.objects.get().pk)
    (name,) = default_storage.listdir(folder(task))[1]
    long_ago = time.time() - HOUR - 60
    os.utime(default_storage.path(f"{folder(task)}/{name}"), (long_ago, long_ago))
    assert client.get(address(task)).status_code == 202
    assert len(queued) == 1


def test_task_keeps_its_latest_zips_only(task: Task) -> None:
    for _ in range(MOST_KEPT + 2):
        compute_report(task=task)  # the same report, computed at another time
        pack(Report.objects.get().pk)
    assert len(default_storage.listdir(folder(task))[1]) == MOST_KEPT


def test_outdated_report_is_not_packed(client: Client, task: Task, queued: list[tuple[str, int]]) -> None:
    client.get(address(task))
    withdraw_run(run=task.runs.get(tag="a"), by=make_organizer(task.track), reason="Wrong file.")
    pack(Report.objects.get().pk)
    assert client.get(address(task)).status_code == 409
    assert len(queued) == 1
