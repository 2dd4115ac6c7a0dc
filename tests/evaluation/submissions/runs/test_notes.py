"""Notes on a run: organizers write them; the run's team reads them and gets a mail."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from evaluation.models import Mail, Phase, Run, RunNote, User
from evaluation.platform.access.changes import changes_to
from evaluation.submissions.runs.notes import write_note
from evaluation.tracks.mail.actions import send_mails
from tests.factories import (
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    task = make_task(phase=Phase.RELEASED)
    return make_run(task, make_team(task.track, name="Kestrel"), tag="dense")


@pytest.fixture
def organizer(run: Run) -> User:
    return make_organizer(run.task.track)


def address(run: Run, name: str) -> str:
    return reverse(name, args=[run.task.track.slug, run.task.slug, run.pk])


def test_page_shows_notes_to_the_team_and_not_to_the_public(
    client: Client, run: Run, organizer: User
) -> None:
    write_note(run=run, text="Topic 7 is <empty>.", by=organizer)
    assert "Topic 7" not in client.get(address(run, "run_detail")).content.decode()
    client.force_login(make_team_member(run.team))
    page = client.get(address(run, "run_detail")).content.decode()
    assert "Topic 7 is &lt;empty&gt;." in page
    assert "Send the note" not in page


def test_organizer_writes_on_the_page_of_the_run(client: Client, run: Run, organizer: User) -> None:
    client.force_login(organizer)
    page = client.post(address(run, "run_note"), {"text": "Well done."}, follow=True).content.decode()
    assert "The note is sent to Kestrel." in page
    assert "<p>Well done.</p>" in page
    assert "Write a note of 1 to" in client.post(address(run, "run_note"), follow=True).content.decode()


def test_members_get_one_mail_each(run: Run, organizer: User) -> None:
    make_team_member(run.team, email="owner@example.org")
    make_team_member(run.team, email="gone@example.org", is_active=False)
    make_team_member(make_team(run.task.track), email="rival@example.org")
    note = write_note(run=run, text=" Topic 7 is empty. ", by=organizer)
    assert note.text == "Topic 7 is empty."
    send_mails()
    sender = run.received_by.email
    assert sorted(message.to for message in mail.outbox) == sorted([["owner@example.org"], [sender]])
    assert {message.subject for message in mail.outbox} == {f"A note on dense in {run.task.name}"}
    assert all("Topic 7 is empty." in message.body for message in mail.outbox)


def test_only_organizers_write(client: Client, run: Run) -> None:
    member = make_team_member(run.team)
    with refused("not-organizer-of-run"):
        write_note(run=run, text="Hello.", by=member)
    client.force_login(member)
    assert client.post(address(run, "run_note"), {"text": "Hello."}).status_code == 404
    assert not RunNote.objects.exists()
    assert not Mail.objects.exists()


@pytest.mark.parametrize("text", ["", "  \n", "x" * 4001, "a\0b"])
def test_note_has_a_text_of_bounded_length(run: Run, organizer: User, text: str) -> None:
    with refused("note-empty"):
        write_note(run=run, text=text, by=organizer)


def test_notes_are_on_record(run: Run, organizer: User) -> None:
    note = write_note(run=run, text="Topic 7 is empty.", by=organizer)
    note.text = "Topic 8 is empty."
    note.save()
    assert [(each.verb, each.fields) for each in changes_to(note)] == [
        ("changed", [("text", "Topic 7 is empty.", "Topic 8 is empty.")]),
        ("added", []),
    ]
