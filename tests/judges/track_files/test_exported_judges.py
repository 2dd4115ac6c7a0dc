"""Judges in exported track files: which ones, with which settings, and the same ones when applied."""

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
from evaluation.reports.actions import compute_report
from evaluation.reports.packing import bundle_report
from evaluation.track_files.track_file import apply_track, copy_settings, export_track
from judges.backends.openai_chat import OpenAIChat
from judges.catalogue.actions import create_judge, retire_judge
from judges.models import Judge
from judges.registry import BACKENDS
from judges.trials.actions import ask_trial
from tests.evaluation.web.api.conftest import program_of
from tests.factories import make_run, make_task
from tests.judges.factories import judged, make_human_qrels, make_image_pool, make_judge, published, started
from tests.judges.track_files.judge_files import CHAT, CLIP, faults, file_of, is_unchanged
from trackside.judging.settings import Settings, folder_sha256

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]


def test_exported_judges_have_the_same_identity_elsewhere(task: Task, staff: User, organizer: User) -> None:
    apply_track(text=file_of(task.track, CLIP, CHAT), by=staff)
    text = export_track(task.track)
    assert all(is_unchanged(text, person) for person in (staff, organizer))
    elsewhere = text.replace(task.track.slug, "elsewhere", 1).replace(task.track.name, "Elsewhere", 1)
    assert apply_track(text=elsewhere, by=staff).faults == []
    for name in ("clip-large", "asked"):
        first, second = Judge.objects.filter(name=name).order_by("pk")
        assert (first.identity_sha256, first.task_kinds) == (second.identity_sha256, second.task_kinds)
    copied = export_track(Track.objects.get(slug="elsewhere"))
    assert tomllib.loads(copied)["judges"] == tomllib.loads(text)["judges"]


def test_options_that_are_added_and_left_out_are_exported(task: Task, staff: User) -> None:
    options = {"chat_template_kwargs": {"enable_thinking": False}, "leave_out": ["temperature", "seed"]}
    assert faults(file_of(task.track, CHAT | {"decoding": options}), staff) == []
    (found,) = tomllib.loads(export_track(task.track))["judges"]
    assert found["decoding"] == {"max_tokens": 64} | options | {"leave_out": ["seed", "temperature"]}
    assert is_unchanged(export_track(task.track), staff)
    assert is_unchanged(file_of(task.track, CHAT | {"decoding": options}), staff)


def test_judge_of_an_earlier_revision_of_its_backend_stays_the_same(
    task: Task, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(OpenAIChat, "revision", OpenAIChat.revision - 1)
        apply_track(text=file_of(task.track, CHAT), by=staff)
    assert is_unchanged(file_of(task.track, CHAT), staff)
    assert is_unchanged(export_track(task.track), staff)


@pytest.mark.usefixtures("queued")
def test_folder_on_the_server_is_named_by_its_last_part_and_its_content(
    task: Task, staff: User, organizer: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "weights").write_bytes(b"1")
    entry = CLIP | {"model": str(folder), "model_revision": ""}
    assert faults(file_of(task.track, entry), staff) == []
    (shown,) = tomllib.loads(export_track(task.track))["judges"]
    assert (shown["model"], shown["model_revision"]) == ("tiny", folder_sha256(folder))
    older = shown | {"model": str(folder)}  # exports for staff had the path
    with monkeypatch.context() as patch:
        patch.setattr("trackside.judging.settings.folder_sha256", lambda _: pytest.fail("reads the folder"))
        for by in (staff, organizer):
            for wanted in (shown, older, entry):
                assert is_unchanged(file_of(task.track, wanted), by)
    for wanted in (shown, older):
        other = make_task().track
        assert faults(file_of(other, wanted), staff) == []
        assert Judge.objects.get(track=other).settings == Judge.objects.get(track=task.track).settings
    unknown = make_task().track  # as on another site, which has no such folder, or other files in it
    (fault,) = faults(file_of(unknown, shown | {"model_revision": "f" * 64}), staff)
    assert '"tiny" is not a folder on this server' in fault
    (folder / "weights").write_bytes(b"2")
    (fault,) = faults(file_of(unknown, older), staff)
    assert "have changed" in fault


def exported(track: Track) -> list[str]:
    return [each["name"] for each in tomllib.loads(export_track(track)).get("judges", [])]


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
    assert is_unchanged(export_track(task.track), pool.created_by)


def test_judge_that_was_retired_since_stays_retired(task: Task, staff: User, organizer: User) -> None:
    apply_track(text=file_of(task.track, CLIP), by=staff)
    text = export_track(task.track)
    retire_judge(judge=Judge.objects.get(), by=staff)
    assert is_unchanged(text, organizer)
    assert Judge.objects.get().retired_at


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


def test_version_in_the_address_of_azure_is_kept(task: Task, staff: User) -> None:
    address = "https://a.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    assert faults(file_of(task.track, CHAT | {"endpoint": address}), staff) == []
    (found,) = tomllib.loads(export_track(task.track))["judges"]
    assert found["endpoint"] == address


def test_judge_of_a_backend_that_is_missing_is_replayed(
    task: Task, staff: User, organizer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(backend="counting", revision=1, model="m", model_revision="1")
    create_judge(name="j", settings=settings, by=staff, track=task.track)
    text = export_track(task.track)
    monkeypatch.delitem(BACKENDS, "counting")
    assert is_unchanged(text, organizer)


def test_copied_settings_leave_the_judges_alone(task: Task, staff: User) -> None:
    apply_track(text=file_of(task.track, CLIP), by=staff)
    target = make_task()
    copy_settings(source=task, target=target, by=staff)
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
