"""Judges in exported track files: which ones, with which settings, and the same ones when applied."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Scope, Task, Track, User
from evaluation.setup.track_file import apply_track, copy_settings, export_track
from judges.backends.openai_chat import OpenAIChat
from judges.catalogue.actions import create_judge, retire_judge
from judges.core.checkpoint import folder_sha256
from judges.core.settings import Settings
from judges.jobs.starting import start_job
from judges.models import Judge
from judges.registry import BACKENDS
from judges.trying.actions import ask_trial
from tests.evaluation.api.conftest import program_of
from tests.factories import make_task
from tests.judges.factories import make_image_pool, make_judge
from tests.judges.trying.judge_files import CHAT, CLIP, faults, file_of, is_unchanged

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
def test_folder_on_the_server_has_its_path_for_staff_only(
    task: Task, staff: User, organizer: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "weights").write_bytes(b"1")
    entry = CLIP | {"model": str(folder), "model_revision": ""}
    assert faults(file_of(task.track, entry), staff) == []
    digest = folder_sha256(folder)
    shown = {by: tomllib.loads(export_track(task.track, by=by))["judges"][0] for by in (staff, organizer)}
    assert [shown[by]["model"] for by in (staff, organizer)] == [str(folder), "tiny"]
    assert {each["model_revision"] for each in shown.values()} == {digest}
    assert str(tmp_path) not in export_track(task.track)
    monkeypatch.setattr("judges.core.checkpoint.folder_sha256", lambda _: pytest.fail("reads the folder"))
    for by in (staff, organizer):
        for wanted in (*shown.values(), entry):
            assert is_unchanged(file_of(task.track, wanted), by)
    monkeypatch.undo()
    other = make_task().track  # as on another site, which has no such folder, or other files in it
    (fault,) = faults(file_of(other, shown[organizer]), staff)
    assert '"tiny" is not a folder on this server' in fault
    (folder / "weights").write_bytes(b"2")
    (fault,) = faults(file_of(other, shown[staff]), staff)
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
        start_job(judge=judge, pool=pool, by=pool.created_by)
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


def test_ensembles_and_imported_scores_are_not_exported(task: Task, staff: User) -> None:
    scores = Settings(backend="imported", revision=0, model="a.csv", model_revision="1")
    create_judge(name="scores", settings=scores, by=staff, track=task.track)
    assert exported(task.track) == []


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


def test_page_and_api_send_the_path_of_a_model_to_staff_only(
    task: Task, staff: User, organizer: User, client: Client
) -> None:
    settings = Settings(backend="counting", revision=1, model="/srv/models/tiny", model_revision="1")
    create_judge(name="j", settings=settings, by=staff, track=task.track)
    for by, model in ((staff, "/srv/models/tiny"), (organizer, "tiny")):
        client.force_login(by)
        page = client.get(reverse("track_file", args=[task.track.slug])).content.decode()
        api = program_of(by, Scope.ORGANIZE).get(f"/api/v1/tracks/{task.track.slug}/file").content.decode()
        assert page == api
        assert [each["model"] for each in tomllib.loads(page)["judges"]] == [model]
