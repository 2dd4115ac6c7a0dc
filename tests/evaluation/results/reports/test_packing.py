"""Zips of reports: packed by a worker when somebody asks, and kept for an hour."""

import os
import re
import time
import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from evaluation.config.backends.blob_storage import blobs_in_folder
from evaluation.models import Packing, Phase, Report, Scope, Task, Track
from evaluation.results.reports import packing as packing_module
from evaluation.results.reports.actions import compute_report
from evaluation.results.reports.packing import MOST_KEPT, ask_bundle
from evaluation.submissions.runs.editing import withdraw_run
from evaluation.tasks import run_packings, sweep_zips
from evaluation.tracks.archiving import archive_track
from evaluation.tracks.work.models import LOST_AFTER, MOST_ATTEMPTS
from evaluation.tracks.work.queueing import claim_work
from tests.evaluation.platform.web.api.conftest import program_of
from tests.factories import dates_of, make_organizer, make_qrels, make_run, make_task
from trackside.rates import RateLimit

pytestmark = pytest.mark.django_db

HOUR = 3600


@pytest.fixture(autouse=True)
def task(client: Client, settings: Settings, tmp_path: Path) -> Task:
    # The names of zips come from keys, which are the same in other databases that share the storage.
    settings.STORAGES = settings.STORAGES | {"default": blobs_in_folder(tmp_path)}
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)
    for tag in ("a", "b"):
        make_run(task, tag=tag, results={"T1": ["D1", "D2"], "T2": ["D2"]})
    make_qrels(task, name="people", grades={("T1", "D1"): 1, ("T2", "D1"): 0})
    compute_report(task=task)
    client.force_login(make_organizer(task.track))
    return task


def address(task: Task, last: str = "bundle.zip") -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/{last}"


def api_address(task: Task) -> str:
    return f"/api/v1/tracks/{task.track.slug}/tasks/{task.slug}/report/bundle"


def names_in(task: Task) -> list[str]:
    return default_storage.listdir(f"bundles/{task.pk}")[1]


def page_of(client: Client, task: Task) -> str:
    return " ".join(client.get(address(task)).content.decode().split())


def is_sent(client: Client, path: str) -> bool:
    """Whether the answer is a whole zip."""
    answer = client.get(path)
    content = b"".join(answer)
    return answer["Content-Type"] == "application/zip" and zipfile.ZipFile(BytesIO(content)).testzip() is None


def publish(task: Task) -> None:
    """Release the task with its runs."""
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    Track.objects.filter(pk=task.track_id).update(has_public_runs=True)


def test_page_offers_to_pack_the_zip_and_sends_it_later(client: Client, task: Task) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make_organizer(task.track))
    assert strict.post(address(task, "pack/")).status_code == 403
    assert client.get(address(task, "pack/")).status_code == 405
    offer = client.get(address(task))
    assert (offer.status_code, Packing.objects.count()) == (409, 0)
    assert address(task, "pack/") in offer.content.decode()
    for _ in range(3):
        answer = client.post(address(task, "pack/"))
        assert answer["Location"] == f"{address(task)}?of={Report.objects.get().pk}"
    waiting = client.get(address(task))
    assert (waiting.status_code, waiting.headers["Refresh"]) == (202, "10")
    run_packings()
    sent = b"".join(client.get(address(task)))
    assert "runs/a.run.gz" in zipfile.ZipFile(BytesIO(sent)).namelist()
    client.post(address(task, "pack/"))
    assert Packing.objects.get().queued_at is None, "the zip is kept"


def test_api_packs_on_request_only(task: Task) -> None:
    program = program_of(make_organizer(task.track), Scope.READ, Scope.ORGANIZE)
    unpacked = program.get(api_address(task))
    assert (unpacked.status_code, "POST" in unpacked.json()["detail"]) == (409, True)
    assert program.post(api_address(task)).json() == {"is_packed": False}
    assert program.get(api_address(task)).status_code == 503
    run_packings()
    assert program.post(api_address(task)).json() == {"is_packed": True}
    assert is_sent(program, api_address(task))


@pytest.mark.parametrize("scopes", [(Scope.READ,), (Scope.READ, Scope.SUBMIT)])
def test_api_packs_for_tokens_of_organizers_only(task: Task, scopes: tuple[Scope, ...]) -> None:
    program = program_of(make_organizer(task.track), *scopes)
    assert program.post(api_address(task)).status_code == 403
    assert not Packing.objects.exists()


def test_readers_of_a_published_and_archived_track_have_the_zip_packed(task: Task) -> None:
    reader = Client()
    assert reader.post(address(task, "pack/")).status_code == 404
    publish(task)
    archive_track(track=task.track, by=make_organizer(task.track))
    assert reader.post(address(task, "pack/")).status_code == 302
    run_packings()
    assert is_sent(reader, address(task))


def test_killed_packing_is_done_from_its_row_alone(client: Client, task: Task) -> None:
    """The first worker dies in the middle of storing the zip; beat wakes another one."""
    ask_bundle(report=Report.objects.get(), by=None)
    claimed = claim_work(Packing, worker="dead")
    assert claimed
    default_storage.save(f"bundles/{task.pk}/{claimed.report_id}.zip", BytesIO(b"half of a z"))
    run_packings()
    assert client.get(address(task)).status_code == 202, "half a zip is not sent"
    Packing.objects.update(seen_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    run_packings()
    assert is_sent(client, address(task))


def park_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the packing of the only report fail until it is parked."""

    def fail(**_: object) -> None:
        raise OSError("The disk is full.")

    ask_bundle(report=Report.objects.get(), by=None)
    with monkeypatch.context() as patched:
        patched.setattr(packing_module, "bundle_report", fail)
        for _ in range(MOST_ATTEMPTS):
            with pytest.raises(OSError, match="full"):
                run_packings()


def test_packing_that_fails_is_parked_until_an_organizer_retries(
    client: Client, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    park_packing(monkeypatch)
    parked = client.get(address(task))
    assert (parked.status_code, "stopped after 3 attempts" in parked.content.decode()) == (409, True)
    client.post(f"/tracks/{task.track.slug}/tasks/{task.slug}/work/packing/{Packing.objects.get().pk}/retry/")
    run_packings()
    assert is_sent(client, address(task))


def test_organizer_retries_a_parked_packing_of_an_archived_track(
    client: Client, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(task)
    archive_track(track=task.track, by=make_organizer(task.track))
    park_packing(monkeypatch)
    Client().post(address(task, "pack/"))
    assert Packing.objects.get().is_parked, "readers do not try it again"
    form = r'<form method="post" action="([^"]*)">[^>]*> <button[^>]*>Try again'
    (retry,) = re.findall(form, page_of(client, task))
    assert client.post(retry).status_code == 302
    packing = Packing.objects.get()
    assert (packing.is_waiting, packing.attempt_count) == (True, 0)
    run_packings()
    assert is_sent(client, address(task))


def test_organizers_token_retries_a_parked_packing(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    park_packing(monkeypatch)
    program = program_of(make_organizer(task.track), Scope.READ, Scope.ORGANIZE)
    assert "stopped after failed attempts" in program.get(api_address(task)).json()["detail"]
    assert program.post(api_address(task)).json() == {"is_packed": False}
    run_packings()
    assert is_sent(program, api_address(task))


def test_zip_of_a_lost_claim_is_deleted_after_an_hour(task: Task) -> None:
    sweep_zips()  # before the first zip there is no folder
    for name, age in (("lost.zip", HOUR + 60), ("new.zip", HOUR - 60)):
        default_storage.save(f"bundles/{task.pk}/{name}", BytesIO(b"zip"))
        stored_at = time.time() - age
        os.utime(default_storage.path(f"bundles/{task.pk}/{name}"), (stored_at, stored_at))
    sweep_zips()
    assert names_in(task) == ["new.zip"]


def test_zip_that_is_deleted_during_its_request_is_not_packed(
    client: Client, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_bundle(report=Report.objects.get(), by=None)
    run_packings()
    default_storage.delete(Packing.objects.get().stored_as)
    # A moment before, it was there.
    monkeypatch.setattr("evaluation.config.backends.blob_storage.WholeFileStorage.exists", lambda *_: True)
    assert client.get(address(task)).status_code == 409


def test_zip_that_is_old_or_that_newer_ones_displaced_is_packed_again(client: Client, task: Task) -> None:
    for _ in range(2):
        assert client.get(address(task)).status_code == 409
        client.post(address(task, "pack/"))
        run_packings()
        assert is_sent(client, address(task))
        (name,) = names_in(task)
        long_ago = time.time() - HOUR - 60
        os.utime(default_storage.path(f"bundles/{task.pk}/{name}"), (long_ago, long_ago))
        Packing.objects.update(packed_at=timezone.now() - timedelta(seconds=HOUR + 60))
    client.post(address(task, "pack/"))
    run_packings()
    default_storage.delete(f"bundles/{task.pk}/{names_in(task)[0]}")
    assert client.get(address(task)).status_code == 409
    client.post(address(task, "pack/"))
    run_packings()
    assert is_sent(client, address(task))


def test_task_keeps_its_latest_zips_only(task: Task) -> None:
    for _ in range(MOST_KEPT + 2):
        ask_bundle(report=Report.objects.get(), by=None)
        run_packings()
        Packing.objects.update(packed_at=timezone.now() - timedelta(seconds=HOUR + 60))
    assert len(names_in(task)) == MOST_KEPT


def test_outdated_report_is_not_packed(client: Client, task: Task) -> None:
    client.post(address(task, "pack/"))
    withdraw_run(run=task.runs.get(tag="a"), by=make_organizer(task.track), reason="Wrong file.")
    run_packings()
    assert client.get(address(task)).status_code == 409
    refused = client.post(address(task, "pack/"), follow=True)
    assert "Recompute the report" in refused.content.decode()
    assert Packing.objects.get().queued_at is None


def test_zips_of_a_report_have_a_rate(client: Client, task: Task, settings: Settings) -> None:
    settings.RATES = settings.RATES | {"bundle": RateLimit(1, HOUR)}
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    assert client.post(address(make_task(task.track), "pack/")).status_code == 404  # spends nothing
    assert client.post(address(task, "pack/")).status_code == 302
    refused = client.post(address(task, "pack/"))
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    program = program_of(organizer, Scope.READ, Scope.ORGANIZE)
    assert program.post(api_address(task)).status_code == 429


def test_request_for_an_outdated_zip_spends_no_rate(client: Client, task: Task, settings: Settings) -> None:
    settings.RATES = settings.RATES | {"bundle": RateLimit(1, HOUR)}
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    program = program_of(organizer, Scope.READ, Scope.ORGANIZE)
    run = make_run(task, tag="late", results={"T1": ["D1"]})
    assert [program.post(api_address(task)).status_code for _ in range(2)] == [409, 409]
    for _ in range(2):
        offer = client.post(address(task, "pack/"), follow=True)
        assert "Recompute the report" in offer.content.decode()
    withdraw_run(run=run, by=organizer, reason="Wrong file.")
    assert program.post(api_address(task)).status_code == 200
    assert [program.post(api_address(task)).status_code, client.post(address(task, "pack/")).status_code] == [
        429,
        429,
    ]
