"""Files that `trackside download` writes."""

import csv
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Phase, RateMeter, Scope
from evaluation.results.reports.actions import compute_report
from evaluation.tasks import run_packings
from tests.conftest import finish_requests
from tests.evaluation.platform.web.api.conftest import secret_of
from tests.factories import make_organizer, make_qrels, make_run, make_task
from trackside.cli.main import main
from trackside.cli.remote import client
from trackside.cli.remote.client import RemoteSite, SiteRefused
from trackside.cli.remote.download import BEING_PACKED, FILES, NOT_PACKED


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


@dataclass(frozen=True)
class PackingSite(RemoteSite):
    """Answers requests for a zip with these problems, then sends it; notes what is asked for by POST."""

    kinds: list[str]
    asked: list[str] = field(default_factory=list)

    def fetch(self, path: str, target: IO[bytes]) -> None:
        if self.kinds:
            raise SiteRefused("No zip.", self.kinds.pop(0))
        target.write(path.encode())

    def ask(self, path: str) -> None:
        self.asked.append(path)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of each wait, which ends at once."""
    found: list[float] = []
    monkeypatch.setattr("time.sleep", found.append)
    return found


def bundle_of(site: RemoteSite) -> bytes:
    ((name, write),) = FILES["bundle"](site, "/tracks/a/tasks/b")
    assert name == "a-b-report.zip"
    target = io.BytesIO()
    write(target)
    return target.getvalue()


def test_kept_bundle_is_downloaded_without_a_post(waits: list[float]) -> None:
    site = PackingSite("http://site", "token", [])
    assert bundle_of(site) == b"/tracks/a/tasks/b/report/bundle"
    assert (site.asked, waits) == ([], [])


def test_bundle_is_asked_for_once_and_waited_for(
    waits: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    site = PackingSite("http://site", "token", [NOT_PACKED, *[BEING_PACKED] * 12])
    assert bundle_of(site)
    assert (len(site.asked), sum(waits)) == (1, 120)
    assert set(capsys.readouterr().err.splitlines()) == {"http://site: the site packs the zip; again in 10 s"}


@pytest.mark.parametrize(
    ("kinds", "waited"),
    [([BEING_PACKED] * 100, 600), ([NOT_PACKED] * 2, 0), (["about:blank"], 0)],
    ids=["ten minutes", "not packed although asked for", "another problem"],
)
def test_waiting_for_a_bundle_ends(waits: list[float], kinds: list[str], waited: float) -> None:
    with pytest.raises(SiteRefused, match="No zip"):
        bundle_of(PackingSite("http://site", "token", kinds))
    assert sum(waits) == waited


def rates() -> list[tuple[object, ...]]:
    """The meters of packings."""
    return list(RateMeter.objects.filter(key__startswith="bundle:").values_list())


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
    monkeypatch.setattr(client, "PAUSES", ())  # the packing is no outage to retry after
    monkeypatch.setenv("TRACKSIDE_SITE", live_server.url)
    monkeypatch.setenv("TRACKSIDE_TOKEN", secret_of(make_organizer(task.track), Scope.READ, Scope.ORGANIZE))
    words = ["--task", f"{task.track.slug}/{task.slug}", "--out", str(tmp_path)]
    assert main(["download", "bundle", *words]) == 0
    spent = rates()
    (path,) = tmp_path.iterdir()
    assert main(["report", str(path), "--format", "json"]) == 0
    path.unlink()
    assert main(["download", "bundle", *words]) == 0
    assert rates() == spent, "a kept zip costs none of the packings"
    finish_requests(live_server)
