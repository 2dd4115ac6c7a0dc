"""A track as a file: exported, created elsewhere, refused with all faults at once."""

import tomllib
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from assessment.models import JudgingPlan
from evaluation.models import Collection, Phase, Scope, Task, Team, Track
from evaluation.organizing.track_files.track_file import create_track, export_track
from tests.evaluation.platform.web.api.conftest import program_of
from tests.factories import make_document, make_organizer, make_staff, make_task, make_topic

pytestmark = pytest.mark.django_db


FILE = """\
[track]
slug = "atomic-2027"
name = "AToMiC 2027"
year = 2027

[[teams]]
name = "Kestrel"

[[tasks]]
slug = "suggestion"
name = "Image suggestion"
kind = "text-to-image"
collection = "Pictures"
families = ["CLIP-based"]

[tasks.dates]
time_zone = "Europe/Berlin"
opens_at = 2027-10-01T00:00:00
closes_at = 2027-11-01T12:00:00

[tasks.criteria]
relevant_from = 1
grades = [
  {grade = 0, name = "No", text = ""},
  {grade = 1, name = "Yes", text = "It fits."},
]

[tasks.plan]
gold_percent = 10

[[tasks.questions]]
name = "training"
text = "Was it trained on the topics?"
kind = "yes-no"
"""
FAULTY = (
    FILE.replace('name = "AToMiC 2027"', 'name = ""')
    .replace("gold_percent = 10", 'gold_percent = "ten"')
    .replace("year = 2027", "yaer = 2027")
)


def test_file_creates_a_track() -> None:
    created = create_track(text=FILE, by=make_staff())
    assert (created.track, created.faults) == (Track.objects.get(), [])
    task = Task.objects.select_related("collection").get()
    assert (str(task.opens_at), task.collection.name) == ("2027-09-30 22:00:00+00:00", "Pictures")
    assert [each["name"] for each in task.criteria.get().words] == ["No", "Yes"]
    assert JudgingPlan.objects.get().gold_percent == 10
    assert [team.name for team in Team.objects.all()] == ["Kestrel"]


def test_exported_track_is_created_elsewhere() -> None:
    staff = make_staff()
    create_track(text=FILE, by=staff)
    exported = export_track(Track.objects.get())
    elsewhere = exported.replace("atomic-2027", "copied").replace("AToMiC 2027", "Copied")
    assert create_track(text=elsewhere, by=staff).faults == []
    copied = tomllib.loads(export_track(Track.objects.get(slug="copied")))
    original = tomllib.loads(exported)
    assert copied["tasks"] == original["tasks"]
    assert copied["teams"] == original["teams"]


def test_file_changes_no_track() -> None:
    staff = make_staff()
    create_track(text=FILE, by=staff)
    changed = FILE.replace("Image suggestion", "Suggestion")
    (fault,) = create_track(text=changed, by=staff).faults
    assert str(fault) == "track: A track has the address atomic-2027. Choose another one."
    (fault,) = create_track(text=changed.replace("atomic-2027", "other"), by=staff).faults
    assert fault.where == "track name"
    assert Task.objects.get().name == "Image suggestion"


def test_tasks_of_a_file_share_a_collection() -> None:
    second = '[[tasks]]\nslug = "second"\nname = "Second"\nkind = "text-to-image"\ncollection = "pictures"\n'
    assert create_track(text=FILE + second, by=make_staff()).faults == []
    assert Collection.objects.get().name == "Pictures"
    assert Collection.objects.get().tasks.count() == 2


def test_all_faults_of_form_are_reported_with_their_keys() -> None:
    faults = {str(fault) for fault in create_track(text=FAULTY, by=make_staff()).faults}
    assert any(fault.startswith("track name: String should have at least 1") for fault in faults)
    assert any(fault.startswith("track yaer: no such key") for fault in faults)
    assert any(fault.startswith("tasks 1 plan gold_percent: ") for fault in faults)
    assert any("track year: Field required" in fault for fault in faults)
    assert not Track.objects.exists()


def test_all_faults_of_content_are_reported_and_nothing_is_stored() -> None:
    wrong = FILE.replace("2027-11-01T12", "2027-09-01T12").replace("relevant_from = 1", "relevant_from = 9")
    found = create_track(text=wrong, by=make_staff())
    words = [str(fault) for fault in found.faults]
    assert words[0].startswith("tasks 1 dates: Dates go in order")
    assert words[1].startswith("tasks 1 criteria: Relevant from 9")
    assert not Track.objects.exists()


REPEATED = (
    '[track]\nslug = "a"\nname = "A"\nyear = 2027\n'
    + '[[teams]]\nname = "Kestrel"\n' * 2
    + '[[tasks]]\nslug = "t"\nname = "T"\nkind = "text-to-image"\ncollection = "C"\n' * 2
    + '[[tasks.questions]]\nname = "q"\ntext = "Which?"\n' * 2
)


def test_entries_that_overwrite_earlier_ones_are_faults() -> None:
    assert [str(fault) for fault in create_track(text=REPEATED, by=make_staff()).faults] == [
        "teams 2 name: “Kestrel” is named twice. Keep one entry.",
        "tasks 2 slug: “t” is named twice. Keep one entry.",
        "tasks 2 questions 2 name: “q” is named twice. Keep one entry.",
        "tasks 2: A task of A has the address t. Choose another one.",
    ]


def test_byte_order_mark_of_an_editor_is_ignored() -> None:
    assert create_track(text="\ufeff" + FILE, by=make_staff()).faults == []


@pytest.mark.parametrize("character", ["\u200b", "\\u0007"])
def test_task_with_an_invisible_character_in_its_name_is_a_fault(character: str) -> None:
    """TOML writes control characters as \\u0007."""
    hidden = FILE.replace("Image suggestion", f"Image{character}suggestion")
    (fault,) = create_track(text=hidden, by=make_staff()).faults
    assert str(fault).startswith("tasks 1: Character 6 of the name is invisible")
    assert not Track.objects.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[track\n", "file: This is not TOML"),
        ('[track]\nslug = "a\\u0000"\n', "track slug: it contains NUL"),
        ('a = "\0"', "file: it contains NUL"),
        ("a = " + "[" * 5000, "file: This is not TOML"),
        ("", "track: Field required"),
        (
            FILE.replace("opens_at", f"grace_minutes = {10**30}\nopens_at"),
            "tasks 1 dates grace_minutes: Input should be less than or equal to 527040.",
        ),
        (
            FILE.replace('"CLIP-based"', ", ".join(f'"f{place}"' for place in range(5000))),
            "file: The lists of this file have 5,005 entries; at most 5,000 are allowed. Split it.",
        ),
    ],
)
def test_no_file_breaks_the_reader(text: str, message: str) -> None:
    (fault, *_) = create_track(text=text, by=make_staff()).faults
    assert str(fault).startswith(message)


def test_api_exports_for_organizers_and_creates_for_staff() -> None:
    task = make_task(phase=Phase.OPEN)
    organizer = make_organizer(task.track)
    program = program_of(organizer, Scope.ORGANIZE)
    text = program.get(f"/api/v1/tracks/{task.track.slug}/file").content.decode()
    text = text.replace(task.track.slug, "elsewhere", 1).replace(task.track.name, "Elsewhere", 1)

    def send(sender: Client, content: str) -> tuple[int, dict[str, Any]]:
        answer = sender.post("/api/v1/track-files", {"file": ContentFile(content.encode(), "a.toml")})
        return answer.status_code, answer.json()

    staff = program_of(make_staff(), Scope.ORGANIZE)
    status, refusal = send(staff, text.replace('description = ""', "description = 1"))
    assert (status, refusal["errors"][0]["where"]) == (422, "track description")
    assert send(program, text)[0] == 422
    assert send(staff, text) == (200, {"track": "elsewhere"})
    reader = program_of(organizer, Scope.READ)
    assert reader.get(f"/api/v1/tracks/{task.track.slug}/file").status_code == 403
    stranger = program_of(make_organizer(make_task().track), Scope.ORGANIZE)
    assert stranger.get(f"/api/v1/tracks/{task.track.slug}/file").status_code == 404


def test_file_of_an_organizer_is_not_read() -> None:
    created = create_track(text="not TOML", by=make_organizer(make_task().track))
    assert [str(fault) for fault in created.faults] == ["track: Only the site's staff make tracks."]


def test_settings_of_a_track_name_no_person_and_no_document() -> None:
    task = make_task(document_count=2)
    make_document(task.collection, docno="SECRET-doc")
    make_topic(task, number="SECRET-topic")
    organizer = make_organizer(task.track, name="SECRET-name")
    text = export_track(task.track)
    assert "SECRET" not in text
    assert organizer.email not in text
