"""Judges in exported track files: which ones, with which settings, and the same ones elsewhere."""

import tomllib
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Scope, Task, Track, User
from evaluation.organizing.track_files.track_file import copy_settings, export_track
from evaluation.results.reports.actions import compute_report
from evaluation.results.reports.packing import bundle_report
from judges.catalogue.actions import create_judge, retire_judge
from judges.models import Judge
from judges.trials.actions import ask_trial
from tests.evaluation.platform.web.api.conftest import program_of
from tests.factories import make_run, make_task
from tests.judges.factories import judged, make_human_qrels, make_image_pool, make_judge, published, started
from tests.judges.track_files.judge_files import CHAT, CLIP, created, elsewhere, faults, file_of, of_the_site
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.settings import Settings, folder_sha256

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]


def test_exported_judges_have_the_same_identity_elsewhere(staff: User) -> None:
    track = created(file_of(CLIP, CHAT), staff)
    copied = created(elsewhere(track), staff)
    for name in ("clip-large", "asked"):
        first, second = Judge.objects.filter(name=name).order_by("pk")
        assert (first.identity_sha256, first.task_kinds) == (second.identity_sha256, second.task_kinds)
    assert entries(copied) == entries(track)


def test_options_that_are_added_and_left_out_are_exported(staff: User) -> None:
    options = {"chat_template_kwargs": {"enable_thinking": False}, "leave_out": ["temperature", "seed"]}
    track = created(file_of(CHAT | {"decoding": options}), staff)
    (entry,) = entries(track)
    assert entry["decoding"] == {"max_tokens": 64} | options | {"leave_out": ["seed", "temperature"]}
    assert entries(created(elsewhere(track), staff)) == [entry]


def test_judge_of_the_site_of_an_earlier_revision_of_its_backend_is_named(
    staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(OpenAIChat, "revision", OpenAIChat.revision - 1)
        of_the_site(CHAT, staff)
    assert not Judge.objects.filter(track=created(file_of(CHAT), staff)).exists()


@pytest.mark.usefixtures("queued")
def test_folder_on_the_server_is_named_by_its_last_part_and_its_content(staff: User, tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "weights").write_bytes(b"1")
    entry = CLIP | {"model": str(folder), "model_revision": ""}
    track = created(file_of(entry), staff)
    (shown,) = entries(track)
    assert (shown["model"], shown["model_revision"]) == ("tiny", folder_sha256(folder))
    older = shown | {"model": str(folder)}  # exports for staff had the path
    for wanted in (shown, older):
        other = created(file_of(wanted), staff)
        assert Judge.objects.get(track=other).settings == Judge.objects.get(track=track).settings
    (fault,) = faults(file_of(shown | {"model_revision": "f" * 64}), staff)  # another site's folder
    assert '"tiny" is not a folder on this server' in fault
    (folder / "weights").write_bytes(b"2")
    (fault,) = faults(file_of(older), staff)
    assert "have changed" in fault


def entries(track: Track) -> list[dict[str, Any]]:
    return list(tomllib.loads(export_track(track)).get("judges", []))


def exported(track: Track) -> list[str]:
    return [entry["name"] for entry in entries(track)]


def test_judges_of_the_track_and_those_of_the_site_that_it_used_are_exported(staff: User) -> None:
    pool = make_image_pool()
    task = pool.task
    make_judge(name="unused")
    tried, used, retired = make_judge(name="tried"), make_judge(name="used"), make_judge(name="retired")
    ask_trial(judge=tried, task=task, by=pool.created_by)
    for judge in (used, retired):
        started(judge, pool)
    retire_judge(judge=retired, by=staff)
    own = Settings(backend="counting", revision=1, model="own", model_revision="1")
    create_judge(name="own", settings=own, by=staff, track=task.track)
    create_judge(name="foreign", settings=replace(own, model="f"), by=staff, track=make_task().track)
    assert exported(task.track) == ["own", "tried", "used"]
    copied = created(elsewhere(task.track), staff)
    assert [judge.name for judge in Judge.objects.filter(track=copied)] == ["own"]


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "https://a/v1?api-key=secret"},
        {"endpoint": "https://me:secret@a/v1"},
        {"endpoint": "https://a/v1", "decoding": {"x": [None]}},
        {"backend": "imported"},  # made of the track's results
    ],
)
def test_judge_that_a_file_cannot_hold_is_left_out(task: Task, staff: User, changes: dict[str, Any]) -> None:
    settings = Settings(backend="counting", revision=1, model="m", model_revision="1")
    create_judge(name="j", settings=replace(settings, **changes), by=staff, track=task.track)
    assert exported(task.track) == []


def test_version_in_the_address_of_azure_is_kept(staff: User) -> None:
    address = "https://a.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    (entry,) = entries(created(file_of(CHAT | {"endpoint": address}), staff))
    assert entry["endpoint"] == address


def test_copied_settings_leave_the_judges_alone(staff: User) -> None:
    source, target = make_task(), make_task()
    settings = Settings(backend="counting", revision=1, model="m", model_revision="1")
    create_judge(name="own", settings=settings, by=staff, track=source.track)
    copy_settings(source=source, target=target, by=staff)
    assert not Judge.objects.filter(track=target.track).exists()


def test_no_file_of_an_export_holds_the_path_of_a_model(staff: User, client: Client, tmp_path: Path) -> None:
    path = str(tmp_path / "tiny")
    pool = make_image_pool(image_count=4)
    job = judged(make_judge(model=path), pool)
    make_run(pool.task, results={"T1": ["D1"], "T2": ["D2"]})
    published(job)
    make_human_qrels(job)
    report = compute_report(task=pool.task)
    assert report is not None
    client.force_login(staff)
    track = pool.task.track.slug
    files = {
        "page": client.get(reverse("track_file", args=[track])).content,
        "api": program_of(staff, Scope.ORGANIZE).get(f"/api/v1/tracks/{track}/file").content,
    }
    packed = BytesIO()
    bundle_report(report=report, target=packed)
    with ZipFile(packed) as archive:
        files |= {name: archive.read(name) for name in archive.namelist()}
    assert [name for name, content in files.items() if str(tmp_path).encode() in content] == []
    assert {b"tiny" in files[name] for name in ("page", "api", "provenance/1.json")} == {True}
