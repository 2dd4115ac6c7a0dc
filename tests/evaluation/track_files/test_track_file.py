"""A track as a file: written, checked with all faults at once, applied twice, replayed elsewhere."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from assessment.models import GoldItem, JudgingPlan
from evaluation.models import LateException, Phase, Scope, Task, Team, Track
from evaluation.runs.granting import withdraw_exception
from evaluation.track_files.track_file import apply_track, export_track
from tests.conftest import finish_requests
from tests.evaluation.web.api.conftest import program_of
from tests.factories import (
    make_document,
    make_organizer,
    make_staff,
    make_task,
    make_team,
    make_topic,
    make_user,
)
from trackside.cli.main import main
from trackside.cli.remote import client

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


def test_file_makes_a_track_once() -> None:
    staff = make_staff()
    trial = apply_track(text=FILE, by=staff, is_trial=True)
    assert (trial.faults, Track.objects.count()) == ([], 0)
    first = apply_track(text=FILE, by=staff)
    assert first.changes == trial.changes
    task = Task.objects.select_related("collection").get()
    assert (str(task.opens_at), task.collection.name) == ("2027-09-30 22:00:00+00:00", "Pictures")
    assert [each["name"] for each in task.criteria.get().words] == ["No", "Yes"]
    assert JudgingPlan.objects.get().gold_percent == 10
    assert [team.name for team in Team.objects.all()] == ["Kestrel"]
    again = apply_track(text=FILE, by=staff)
    assert (again.changes, again.faults) == ([], [])


def test_exported_track_is_replayed_elsewhere() -> None:
    staff = make_staff()
    apply_track(text=FILE, by=staff)
    exported = export_track(Track.objects.get())
    elsewhere = exported.replace("atomic-2027", "copied").replace("AToMiC 2027", "Copied")
    assert apply_track(text=elsewhere, by=staff).faults == []
    copied = tomllib.loads(export_track(Track.objects.get(slug="copied")))
    original = tomllib.loads(exported)
    assert copied["tasks"] == original["tasks"]
    assert copied["teams"] == original["teams"]


def test_late_exceptions_are_granted_once_and_exported_while_they_are_open() -> None:
    task = make_task(phase=Phase.CLOSED, judging_at=None, releases_at=None, time_zone="Europe/Berlin")
    make_team(task.track, name="Kestrel")
    organizer = make_organizer(task.track)
    head = export_track(task.track)
    late = """
[[tasks.late_exceptions]]
team = "Kestrel"
closes_at = 2090-11-08T12:00:00
reason = "Their disk broke."
"""
    slug = task.slug
    assert apply_track(text=head + late, by=organizer).changes == [f"task {slug}: late_exceptions changed"]
    granted = LateException.objects.get()
    assert granted.granted_by == organizer
    assert granted.closes_at == datetime(2090, 11, 8, 11, tzinfo=UTC)  # winter: an hour before UTC
    assert apply_track(text=head + late, by=organizer).changes == []
    with_offset = late.replace("T12:00:00", "T11:00:00Z")
    assert apply_track(text=head + with_offset, by=organizer).changes == []
    (exported,) = tomllib.loads(export_track(task.track))["tasks"]
    assert exported["late_exceptions"] == tomllib.loads(late)["tasks"]["late_exceptions"]
    (fault,) = apply_track(text=head + late.replace("2090", "2091"), by=organizer).faults
    assert "Withdraw it first" in fault.what
    (fault,) = apply_track(text=head + late.replace("Kestrel", "Nordlys"), by=organizer).faults
    assert "no team Nordlys" in fault.what
    withdraw_exception(exception=granted, by=organizer)
    assert "late_exceptions" not in export_track(task.track)


def test_all_faults_of_form_are_reported_with_their_keys() -> None:
    faults = {str(fault) for fault in apply_track(text=FAULTY, by=make_staff()).faults}
    assert any(fault.startswith("track name: String should have at least 1") for fault in faults)
    assert any(fault.startswith("track yaer: no such key") for fault in faults)
    assert any(fault.startswith("tasks 1 plan gold_percent: ") for fault in faults)
    assert any("track year: Field required" in fault for fault in faults)
    assert not Track.objects.exists()


def test_all_faults_of_content_are_reported_and_nothing_is_stored() -> None:
    wrong = FILE.replace("2027-11-01T12", "2027-09-01T12").replace("relevant_from = 1", "relevant_from = 9")
    wrong += '[[tasks.gold]]\ntopic = "T1"\ndocno = "D1"\ngrade = 1\n'
    found = apply_track(text=wrong, by=make_staff())
    words = [str(fault) for fault in found.faults]
    assert words[0].startswith("tasks 1 dates: Dates go in order")
    assert words[1].startswith("tasks 1 criteria: Relevant from 9")
    assert words[2].startswith("tasks 1 gold")
    assert not Track.objects.exists()


REPEATED = (
    '[track]\nslug = "a"\nname = "A"\nyear = 2027\n'
    + '[[teams]]\nname = "Kestrel"\n' * 2
    + '[[tasks]]\nslug = "t"\nname = "T"\nkind = "text-to-image"\ncollection = "C"\n' * 2
    + '[[tasks.questions]]\nname = "q"\ntext = "Which?"\n' * 2
)


def test_entries_that_overwrite_earlier_ones_are_faults() -> None:
    assert [str(fault) for fault in apply_track(text=REPEATED, by=make_staff()).faults] == [
        "teams 2 name: “Kestrel” is named twice. Keep one entry.",
        "tasks 2 slug: “t” is named twice. Keep one entry.",
        "tasks 2 questions 2 name: “q” is named twice. Keep one entry.",
    ]


def test_byte_order_mark_of_an_editor_is_ignored() -> None:
    assert apply_track(text="\ufeff" + FILE, by=make_staff()).faults == []


@pytest.mark.parametrize("character", ["\u200b", "\\u0007"])
def test_task_with_an_invisible_character_in_its_name_is_a_fault(character: str) -> None:
    """TOML writes control characters as \\u0007."""
    hidden, staff = FILE.replace("Image suggestion", f"Image{character}suggestion"), make_staff()
    (fault,) = apply_track(text=hidden, by=staff).faults
    assert str(fault).startswith("tasks 1: Character 6 of the name is invisible")
    assert not Track.objects.exists()
    assert apply_track(text=FILE, by=staff).faults == []
    assert [str(renamed) for renamed in apply_track(text=hidden, by=staff).faults] == [str(fault)]


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
    (fault, *_) = apply_track(text=text, by=make_staff()).faults
    assert str(fault).startswith(message)


def test_organizers_change_their_own_track_only() -> None:
    own, foreign = make_task(), make_task()
    organizer = make_organizer(own.track)
    for track, is_theirs in ((own.track, True), (foreign.track, False)):
        text = export_track(track).replace('description = ""', 'description = "New."')
        applied = apply_track(text=text, by=organizer)
        track.refresh_from_db()
        assert (track.description == "New.", not applied.faults) == (is_theirs, is_theirs)
    unknown = apply_track(text=FILE, by=organizer)
    assert str(unknown.faults[0]).endswith("You organize no track atomic-2027. The site's staff make tracks.")


def test_gold_of_a_file_needs_its_topics_and_documents() -> None:
    task = make_task(topic_count=1, document_count=1)
    text = (
        export_track(task.track) + '\n[[tasks.gold]]\ntopic = "T1"\ndocno = "D1"\ngrade = 2\nuse = "exam"\n'
    )
    assert apply_track(text=text, by=make_organizer(task.track)).faults == []
    assert GoldItem.objects.get().use == "exam"


def test_api_exports_checks_and_applies_for_tokens_that_organize() -> None:
    task = make_task(phase=Phase.OPEN)
    organizer = make_organizer(task.track)
    program = program_of(organizer, Scope.ORGANIZE)
    text = program.get(f"/api/v1/tracks/{task.track.slug}/file").content.decode()
    from django.core.files.base import ContentFile

    def send(path: str, content: str) -> tuple[int, object]:
        answer = program.post(f"/api/v1{path}", {"file": ContentFile(content.encode(), "a.toml")})
        return answer.status_code, answer.json()

    unchanged = {"track": task.track.slug, "changes": []}
    assert send("/track-files", text) == (200, unchanged)
    status, found = send("/track-files/check", text.replace('description = ""', "description = 1"))
    assert (status, "track description" in str(found)) == (422, True)
    reader = program_of(organizer, Scope.READ)
    assert reader.get(f"/api/v1/tracks/{task.track.slug}/file").status_code == 403
    stranger = program_of(make_organizer(make_task().track), Scope.ORGANIZE)
    assert stranger.get(f"/api/v1/tracks/{task.track.slug}/file").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_command_exports_checks_and_applies(
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from evaluation.access.actions import create_token

    task = make_task()
    make_team(task.track, name="Kestrel")
    made = create_token(name="t", scopes=[Scope.ORGANIZE], days=1, by=make_organizer(task.track))
    monkeypatch.setattr(client, "PAUSES", ())
    monkeypatch.setenv("TRACKSIDE_SITE", live_server.url)
    monkeypatch.setenv("TRACKSIDE_TOKEN", made.secret)
    assert main(["track", "export", task.track.slug]) == 0
    text = capsys.readouterr().out
    path = tmp_path / "track.toml"
    path.write_text(text.replace('description = ""', 'description = "New."'))
    assert main(["track", "check", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{task.track.slug}: 1 would change"
    assert main(["track", "apply", str(path)]) == 0
    assert Track.objects.get(pk=task.track_id).description == "New."
    path.write_text(text.replace("year = 2026", "year = 1").replace('description = ""', "description = 2"))
    capsys.readouterr()
    assert main(["track", "check", str(path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["track", "check", str(tmp_path / "absent")]) == 2
    finish_requests(live_server)


def test_file_of_a_person_without_a_track_is_not_read() -> None:
    applied = apply_track(text="not TOML", by=make_user())
    assert "You organize no track" in str(applied.faults[0])


def test_settings_of_a_track_name_no_person_and_no_document() -> None:
    task = make_task(document_count=2)
    make_document(task.collection, docno="SECRET-doc")
    make_topic(task, number="SECRET-topic")
    organizer = make_organizer(task.track, name="SECRET-name")
    text = export_track(task.track)
    assert "SECRET" not in text
    assert organizer.email not in text
