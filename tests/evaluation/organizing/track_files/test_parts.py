"""Requirements for uploads and the uses of fields in a track file: exported, and created elsewhere."""

import tomllib

import pytest

from evaluation.models import EntryRules, ImportKind, Task, Track
from evaluation.organizing.imports.actions import latest_choice, set_chosen_fields
from evaluation.organizing.track_files.track_file import copy_settings, create_track, export_track
from tests.factories import make_staff, make_task

pytestmark = pytest.mark.django_db


def elsewhere(task: Task) -> str:
    """The track's file with another address and name."""
    text = export_track(task.track).replace(f'slug = "{task.track.slug}"', 'slug = "elsewhere"', 1)
    return text.replace(f'name = "{task.track.name}"', 'name = "Elsewhere"', 1)


def test_exported_requirements_make_an_equal_track() -> None:
    task = make_task()
    EntryRules.objects.create(track=task.track, needs_approval=True)
    text = elsewhere(task)
    assert tomllib.loads(text)["track"]["registration"] == {"needs_approval": True}
    assert create_track(text=text, by=make_staff()).faults == []
    assert EntryRules.objects.get(track__slug="elsewhere").needs_approval


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('needs_approval = "yes"', "track registration needs_approval: Input should be a valid bool"),
        ('agreement = "Be kind."', "track registration agreement: no such key belongs here."),
    ],
)
def test_wrong_requirement_is_a_fault_with_its_key(line: str, fault: str) -> None:
    text = elsewhere(make_task()).replace("needs_approval = false", line)
    (found,) = create_track(text=text, by=make_staff()).faults
    assert str(found).startswith(fault)
    assert not EntryRules.objects.exists()


def test_copied_settings_leave_the_requirements_alone() -> None:
    task = make_task()
    EntryRules.objects.create(track=task.track, needs_approval=True)
    target = make_task()
    copy_settings(source=task, target=target, by=make_staff())
    assert not EntryRules.objects.filter(track=target.track).exists()


CHOICE = {
    "id": "_id",
    "texts": ["title", "text"],
    "picture": "",
    "stratum": "kind",
    "note": "",
    "rows": "",
    "left_out": ["answer"],
}
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


def test_uses_of_fields_are_exported_and_created_elsewhere() -> None:
    task = make_task()
    set_chosen_fields(task, ImportKind.TOPICS, CHOICE)
    text = elsewhere(task)
    assert tomllib.loads(text)["tasks"][0]["imports"] == {"topics": CHOICE}
    assert create_track(text=text, by=make_staff()).faults == []
    created = Task.objects.get(track__slug="elsewhere")
    assert latest_choice(created, ImportKind.TOPICS) == CHOICE
    assert not latest_choice(created, ImportKind.COLLECTION)


def test_roles_of_fields_are_exported_and_created_elsewhere() -> None:
    choice = CHOICE | {"roles": {"title": "title", "description": "text"}}
    created = create_track(text=elsewhere(make_task()) + PART + ROLES, by=make_staff())
    assert created.faults == []
    track = Track.objects.get(slug="elsewhere")
    assert latest_choice(track.tasks.get(), ImportKind.TOPICS) == choice
    assert tomllib.loads(export_track(track))["tasks"][0]["imports"] == {"topics": choice}


@pytest.mark.parametrize(
    ("part", "what"),
    [
        (PART + ROLES.replace('"text"', '"title"'), "roles: give each role another field"),
        (PART.replace('["answer"]', '["title"]'), "title: chosen twice"),
    ],
)
def test_field_with_two_uses_is_a_fault(part: str, what: str) -> None:
    created = create_track(text=elsewhere(make_task()) + part, by=make_staff())
    assert [what in str(fault) for fault in created.faults] == [True]
    assert not Track.objects.filter(slug="elsewhere").exists()
