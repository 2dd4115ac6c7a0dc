"""The language of pages and mails: the chosen one, else the browser's, else English."""

from http import HTTPStatus

import pytest
from celery.contrib.testing.worker import start_worker
from django.core import mail
from django.test import Client
from django.utils import translation

from evaluation.config.celery import app
from evaluation.models import Audience, Mail, Phase, Role, Track
from evaluation.submissions.teams.invitations import invite_member
from evaluation.tracks.announcements.actions import announce
from evaluation.tracks.mail.actions import send_mails
from tests.evaluation.conftest import wait_for
from tests.factories import make_assessor, make_organizer, make_task, make_team, make_team_member, make_user

GERMAN = {"Accept-Language": "de-AT, de;q=0.9, en;q=0.5"}
ENGLISH = {"Accept-Language": "en-US"}

pytestmark = pytest.mark.django_db


def page(client: Client, address: str, headers: dict[str, str]) -> str:
    return client.get(address, headers=headers).content.decode()


@pytest.mark.parametrize(
    ("asked", "chosen", "language"),
    [
        (GERMAN, "", "de"),
        (ENGLISH, "", "en"),
        ({"Accept-Language": "fr"}, "", "en"),
        ({}, "", "en"),
        (ENGLISH, "de", "de"),
        (GERMAN, "en-gb", "en"),
        (GERMAN, "xx", "de"),  # a language that the site does not have
    ],
)
def test_chosen_language_precedes_that_of_the_browser(
    client: Client, asked: dict[str, str], chosen: str, language: str
) -> None:
    client.force_login(make_user(language=chosen))
    text = page(client, "/account/", asked)
    assert f'<html lang="{language}" dir="ltr">' in text
    words = {"de": "Ihre Rollen und Teams", "en": "Your roles and teams"}
    assert [each for each in words if words[each] in text] == [language]
    assert translation.get_language() == "en-gb"  # the thread's next request is in English


def test_pages_of_organizers_and_teams_stay_english(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    client.force_login(make_organizer(task.track, language="de"))
    for address in ("/", f"/tracks/{task.track.slug}/", f"/tracks/{task.track.slug}/invite/"):
        answer = client.get(address, headers=GERMAN)
        assert '<html lang="en" dir="ltr">' in answer.content.decode()
        assert "Content-Language" not in answer.headers


def test_sign_in_page_is_in_the_language_of_the_browser(client: Client) -> None:
    answer = client.get("/account/login/", headers=GERMAN)
    assert "Konto anlegen" in answer.content.decode()
    assert answer.headers["Content-Language"] == "de"
    assert "Accept-Language" in answer.headers["Vary"]


def test_language_is_chosen_and_the_answer_is_in_it(client: Client) -> None:
    client.force_login(person := make_user())
    assert "Deutsch</option>" in page(client, "/account/language/", ENGLISH)
    answer = client.post("/account/language/", {"language": "de"}, headers=ENGLISH, follow=True)
    assert "Ihre Sprache ist geändert." in answer.content.decode()
    person.refresh_from_db()
    assert person.language == "de"
    assert client.post("/account/language/", {"language": "xx"}).status_code == HTTPStatus.OK
    answer = client.post("/account/language/", {"language": "", "sent": "yes"}, headers=ENGLISH, follow=True)
    assert "Your language is changed." in answer.content.decode()
    person.refresh_from_db()
    assert person.language == ""


def test_error_page_of_a_translated_page_is_translated(client: Client) -> None:
    client.force_login(make_user(language="de"))
    answer = client.get("/judging/99/items/1/")
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "Seite nicht gefunden" in answer.content.decode()
    assert "Page not found" in page(client, "/no-such-page", GERMAN)


def test_invitation_is_in_the_language_of_its_reader() -> None:
    track = make_task().track
    make_user(email="german@example.org", language="de")
    for email in ("german@example.org", "new@example.org"):
        invite_member(track=track, email=email, by=make_organizer(track), accept_url=str, role=Role.ASSESSOR)
    german, english = Mail.objects.order_by("pk")
    assert german.subject == f"Einladung: {track}"
    assert f"lädt Sie ein: im Track {track} zu beurteilen." in german.text
    assert english.subject == f"Invitation: {track}"
    assert f"invites you to assess in the track {track}." in english.text


def test_password_mail_is_in_the_language_of_its_reader(client: Client) -> None:
    make_user(email="german@example.org", language="de")
    client.post("/account/password/reset/", {"email": "german@example.org"}, headers=ENGLISH)
    (message,) = mail.outbox
    assert message.subject == "Neues Passwort für Trackside"
    assert "Der Link funktioniert einmal." in message.body


def test_frame_of_an_announcement_is_in_the_language_of_each_reader() -> None:
    track = make_task().track
    make_assessor(track, language="de")
    make_team_member(make_team(track))
    _announce_to_all(track)
    assert send_mails() == 2
    bodies = [message.body for message in mail.outbox]
    frames = [("Sie bekommen diese Mail" in body, "You get this mail" in body) for body in bodies]
    assert frames == [(True, False), (False, True)]


def _announce_to_all(track: Track) -> None:
    announce(
        track=track,
        audience=Audience.EVERYBODY,
        subject="Judging starts",
        text="On Monday.",
        is_mailed=True,
        by=make_organizer(track),
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_queue")
def test_celery_worker_sends_an_assessor_the_mail_in_the_chosen_language() -> None:
    track = make_task().track
    person = make_assessor(track, language="de")
    with start_worker(app, pool="solo", queues="mail", perform_ping_check=False):
        _announce_to_all(track)
        wait_for(lambda: not Mail.objects.filter(sent_at__isnull=True).exists(), "the mail")
    (message,) = mail.outbox
    assert message.to == [person.email]
    assert "Sie bekommen diese Mail, weil Sie" in message.body
