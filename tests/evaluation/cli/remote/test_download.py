"""Files that `trackside download` writes."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from evaluation.cli.main import main
from evaluation.cli.remote import client
from evaluation.cli.remote.client import RemoteSite
from evaluation.cli.remote.download import FILES
from evaluation.models import Phase, Scope
from evaluation.reports.actions import compute_report
from evaluation.tasks import run_packings
from tests.conftest import finish_requests
from tests.evaluation.api.conftest import secret_of
from tests.factories import make_organizer, make_qrels, make_run, make_task

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.live_server_helper import LiveServer


def test_scores_run_no_formula_in_a_spreadsheet(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"run": 1, "tag": "=1+1", "team": "+Kestrel", "qrels": "@people", "measure": "AP"}
    values = [{**named, "topics": {"-T1": 0.5}, "mean": 0.5}]
    monkeypatch.setattr(RemoteSite, "read_list", lambda *_, **__: iter(values))
    ((_, write),) = FILES["scores"](RemoteSite("http://site", "token"), "tracks/a/tasks/b")
    target = io.BytesIO()
    write(target)
    rows = list(csv.reader(io.StringIO(target.getvalue().decode(), newline="")))
    cells = ["1", "'=1+1", "'+Kestrel", "'@people", "AP"]
    assert rows[1:] == [[*cells, "'-T1", "0.5"], [*cells, "all", "0.5"]]


@pytest.mark.whole
@pytest.mark.usefixtures("transactional_db")
def test_bundle_is_requested_and_downloaded_once_it_is_packed(
    live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)
    for tag in ("a", "b"):
        make_run(task, tag=tag, results={"T1": ["D1", "D2"], "T2": ["D2"]})
    make_qrels(task, name="people", grades={("T1", "D1"): 1, ("T2", "D1"): 0})
    compute_report(task=task)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_, **__: None)
    monkeypatch.setattr("time.sleep", lambda _: run_packings())  # the worker runs while the command waits
    monkeypatch.setattr(client, "PAUSES", (0,))
    monkeypatch.setenv("TRACKSIDE_SITE", live_server.url)
    monkeypatch.setenv("TRACKSIDE_TOKEN", secret_of(make_organizer(task.track), Scope.READ, Scope.ORGANIZE))
    words = ["--task", f"{task.track.slug}/{task.slug}", "--out", str(tmp_path)]
    assert main(["download", "bundle", *words]) == 0
    (path,) = tmp_path.iterdir()
    assert main(["report", str(path), "--format", "json"]) == 0
    finish_requests(live_server)
