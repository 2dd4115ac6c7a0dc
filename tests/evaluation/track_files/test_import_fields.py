"""Track files carry the uses of fields with which imports begin."""

import tomllib

import pytest

from evaluation.imports.actions import latest_choice, set_chosen_fields
from evaluation.models import ImportKind
from evaluation.track_files.track_file import apply_track, export_track
from tests.factories import make_organizer, make_staff, make_task

pytestmark = pytest.mark.django_db

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
