"""Requirements for uploads and the uses of fields of imports in a track file: exported, applied, replayed."""

import tomllib

import pytest

from evaluation.access.changes import changes_to
from evaluation.imports.actions import latest_choice, set_chosen_fields
from evaluation.models import EntryRules, ImportKind, Task, User
from evaluation.teams.registering import has_signed, sign_agreement
from evaluation.track_files.track_file import apply_track, copy_settings, export_track
from tests.factories import make_organizer, make_staff, make_task, make_team, make_team_member

pytestmark = pytest.mark.django_db

TEXT = "We use the images for *research* only.\nWe cite the track."


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
    text = file_of(task, f'needs_approval = true\nagreement = """\n{TEXT}\n"""\n')
    trial = apply_track(text=text, by=organizer, is_trial=True)
    assert (trial.faults, EntryRules.objects.exists()) == ([], False)
    assert trial.changes == [f"track {task.track.slug}: registration changed"]
    assert apply_track(text=text, by=organizer).changes == trial.changes
    rules = EntryRules.objects.get(track=task.track)
    assert (rules.needs_approval, rules.agreement) == (True, TEXT)  # the form removes blanks around it
    assert [each.verb for each in changes_to(rules)] == ["added"]
    assert apply_track(text=text, by=organizer).changes == []


def test_exported_requirements_make_an_equal_track(task: Task, organizer: User) -> None:
    EntryRules.objects.create(track=task.track, needs_approval=True, agreement=TEXT)
    text = export_track(task.track)
    wanted = {"needs_approval": True, "agreement": TEXT}
    assert tomllib.loads(text)["track"]["registration"] == wanted
    assert apply_track(text=text, by=organizer).changes == []
    elsewhere = text.replace(f'slug = "{task.track.slug}"', 'slug = "elsewhere"', 1)
    elsewhere = elsewhere.replace(task.track.name, "Elsewhere")
    assert apply_track(text=elsewhere, by=make_staff()).faults == []
    copied = EntryRules.objects.get(track__slug="elsewhere")
    assert (copied.needs_approval, copied.agreement) == (True, TEXT)


def test_requirement_that_the_file_does_not_name_stays(task: Task, organizer: User) -> None:
    EntryRules.objects.create(track=task.track, needs_approval=True, agreement=TEXT)
    assert apply_track(text=file_of(task, 'agreement = "Other."\n'), by=organizer).changes
    assert apply_track(text=file_of(task, ""), by=organizer).changes == []
    rules = EntryRules.objects.get()
    assert (rules.needs_approval, rules.agreement) == (True, "Other.")
    assert apply_track(text=file_of(task, 'agreement = ""\n'), by=organizer).changes
    assert EntryRules.objects.get().agreement_sha256 == ""


def test_replay_keeps_the_signatures_of_a_text_with_line_ends_of_browsers(
    task: Task, organizer: User
) -> None:
    """TOML has line feeds, browsers send carriage returns; a signature holds for the bytes of one text."""
    rules = EntryRules.objects.create(track=task.track, agreement=TEXT.replace("\n", "\r\n"))
    team = make_team(task.track)
    owner = make_team_member(team)
    sign_agreement(team=team, agreement_sha256=rules.agreement_sha256, by=owner)
    text = export_track(task.track)
    assert apply_track(text=text, by=organizer).changes == []
    approved = text.replace("needs_approval = false", "needs_approval = true")
    assert apply_track(text=approved, by=organizer).changes
    assert has_signed(team, EntryRules.objects.get(needs_approval=True))


@pytest.mark.parametrize(
    ("registration", "fault"),
    [
        (
            'needs_approval = "yes"\n',
            "track registration needs_approval: Input should be a valid bool",
        ),
        ("agreement = 1\n", "track registration agreement: Input should be a valid string."),
        ("\nagrement = 'a'\n", "track registration agrement: no such key belongs here."),
        ('agreement = "a\\u0000"\n', "track registration agreement: it contains NUL"),
        (
            f'needs_approval = true\nagreement = "{"a" * 50_001}"\n',
            "track registration agreement: Ensure this value has at most 50000 characters",
        ),
    ],
)
def test_wrong_requirement_is_a_fault_with_its_line(
    task: Task, organizer: User, registration: str, fault: str
) -> None:
    (found,) = apply_track(text=file_of(task, registration), by=organizer).faults
    assert str(found).startswith(fault)
    assert not EntryRules.objects.exists()


def test_copied_settings_leave_the_requirements_alone(task: Task) -> None:
    EntryRules.objects.create(track=task.track, needs_approval=True, agreement=TEXT)
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
