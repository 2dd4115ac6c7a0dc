"""Requirements for uploads and the uses of fields of imports in a track file: exported, applied, replayed."""

import tomllib

import pytest

from evaluation.access.changes import changes_to
from evaluation.imports.actions import latest_choice, set_chosen_fields
from evaluation.models import EntryRules, ImportKind, Task, User
from evaluation.track_files.track_file import apply_track, copy_settings, export_track
from tests.factories import make_organizer, make_staff, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_task()


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


def file_of(task: Task, registration: str) -> str:
    head = f'[track]\nslug = "{task.track.slug}"\nname = "{task.track.name}"\nyear = {task.track.year}\n'
    return f"{head}\n[track.registration]\n{registration}"


def test_file_sets_the_requirements_once(task: Task, organizer: User) -> None:
    task.track.description = task.guidelines = "First line.\r\n\r\nSecond line."  # as browsers send them
    task.track.save()
    task.save()
    assert apply_track(text=export_track(task.track), by=organizer).changes == []
    assert not EntryRules.objects.exists()
    stranger = make_organizer(make_task().track)
    (fault,) = apply_track(text=file_of(task, "needs_approval = true\n"), by=stranger).faults
    assert "You organize no track" in fault.what
    text = file_of(task, "needs_approval = true\n")
    trial = apply_track(text=text, by=organizer, is_trial=True)
    assert (trial.faults, EntryRules.objects.exists()) == ([], False)
    assert trial.changes == [f"track {task.track.slug}: registration changed"]
    assert apply_track(text=text, by=organizer).changes == trial.changes
    rules = EntryRules.objects.get(track=task.track)
    assert rules.needs_approval
    assert [each.verb for each in changes_to(rules)] == ["added"]
    assert apply_track(text=text, by=organizer).changes == []


def test_exported_requirements_make_an_equal_track(task: Task, organizer: User) -> None:
    EntryRules.objects.create(track=task.track, needs_approval=True)
    text = export_track(task.track)
    assert tomllib.loads(text)["track"]["registration"] == {"needs_approval": True}
    assert apply_track(text=text, by=organizer).changes == []
    elsewhere = text.replace(f'slug = "{task.track.slug}"', 'slug = "elsewhere"', 1)
    elsewhere = elsewhere.replace(task.track.name, "Elsewhere")
    assert apply_track(text=elsewhere, by=make_staff()).faults == []
    assert EntryRules.objects.get(track__slug="elsewhere").needs_approval


@pytest.mark.parametrize(
    ("registration", "fault"),
    [
        (
            'needs_approval = "yes"\n',
            "track registration needs_approval: Input should be a valid bool",
        ),
        ("agreement = 'Be kind.'\n", "track registration agreement: no such key belongs here."),
    ],
)
def test_wrong_requirement_is_a_fault_with_its_line(
    task: Task, organizer: User, registration: str, fault: str
) -> None:
    (found,) = apply_track(text=file_of(task, registration), by=organizer).faults
    assert str(found).startswith(fault)
    assert not EntryRules.objects.exists()


def test_copied_settings_leave_the_requirements_alone(task: Task) -> None:
    EntryRules.objects.create(track=task.track, needs_approval=True)
    target = make_task()
    copy_settings(source=task, target=target, by=make_staff())
    assert not EntryRules.objects.filter(track=target.track).exists()


CHOICE = {"id": "_id", "texts": ["title", "text"], "picture": "", "stratum": "kind", "left_out": ["answer"]}
PART = """
[tasks.imports.topics]
id = "_id"
texts = ["title", "text"]
stratum = "kind"
left_out = ["answer"]
"""
ROLES = """
[tasks.imports.topics.roles]
title = "title"
description = "text"
"""


def test_uses_of_fields_are_exported_and_applied_elsewhere() -> None:
    task, other = make_task(), make_task()
    set_chosen_fields(task, ImportKind.TOPICS, CHOICE)
    assert tomllib.loads(export_track(task.track))["tasks"][0]["imports"] == {"topics": CHOICE}
    text = export_track(other.track) + PART
    applied = apply_track(text=text, by=make_staff())
    assert applied.faults == []
    assert latest_choice(other, ImportKind.TOPICS) == CHOICE
    assert not latest_choice(other, ImportKind.COLLECTION)
    assert apply_track(text=text, by=make_staff()).changes == []


def test_roles_of_fields_are_exported_and_applied_elsewhere() -> None:
    task, other = make_task(), make_task()
    choice = CHOICE | {"roles": {"title": "title", "description": "text"}}
    applied = apply_track(text=export_track(task.track) + PART + ROLES, by=make_staff())
    assert (applied.faults, latest_choice(task, ImportKind.TOPICS)) == ([], choice)
    assert tomllib.loads(export_track(task.track))["tasks"][0]["imports"] == {"topics": choice}
    exported = export_track(task.track)
    assert apply_track(text=exported, by=make_staff()).changes == []
    refused = apply_track(
        text=export_track(other.track) + PART + ROLES.replace('"text"', '"title"'), by=make_staff()
    )
    assert ["roles: give each role another field" in str(fault) for fault in refused.faults] == [True]


def test_field_with_two_uses_is_a_fault_with_its_line() -> None:
    task = make_task()
    text = export_track(task.track) + PART.replace('["answer"]', '["title"]')
    applied = apply_track(text=text, by=make_organizer(task.track))
    assert ["title: chosen twice" in str(fault) for fault in applied.faults] == [True]
    assert not latest_choice(task, ImportKind.TOPICS)
