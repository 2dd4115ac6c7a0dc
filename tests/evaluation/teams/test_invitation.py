import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Mail, Membership, Phase, Role, Track
from evaluation.teams.invitations import invite_member
from tests.factories import (
    PASSWORD,
    make_assessor,
    make_organizer,
    make_task,
    make_team,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


def _invite(track: Track, email: str, capture: Any) -> str:
    """Send an invitation as an organizer does, and give the path of the mailed link."""
    client = Client(headers={"host": "localhost"})
    client.force_login(make_organizer(track))
    with capture(execute=True):
        client.post(f"/tracks/{track.slug}/invite/", {"emails": email, "role": "assessor"})
    (found,) = re.findall(r"http://127\.0\.0\.1:8000(/invitations/\S+)", str(Mail.objects.latest("pk").text))
    return str(found)


def test_invitation_is_mailed_and_makes_an_account(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    track = make_track(name="Illustrate")
    make_task(track, phase=Phase.JUDGING)
    link = _invite(track, "new@example.org", django_capture_on_commit_callbacks)
    assert Mail.objects.latest("pk").to == "new@example.org"
    assert "Choose a name and a password" in client.get(link).content.decode()
    answer = client.post(link, {"name": "R. Okafor", "password": "a brand new passphrase"})
    assert answer.headers["Location"] == "/"
    assert "you: assessor" in client.get("/").content.decode()
    member = Membership.objects.get(track=track, role=Role.ASSESSOR)
    assert (member.user.email, member.user.name) == ("new@example.org", "R. Okafor")
    assert Client().login(username="new@example.org", password="a brand new passphrase")


def test_invitation_adds_the_track_to_the_account_signed_in(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    track = make_track()
    person = make_user(email="old@example.org")
    link = _invite(track, "old@example.org", django_capture_on_commit_callbacks)
    client.force_login(person)
    client.post(link)
    assert Membership.objects.filter(track=track, user=person, role=Role.ASSESSOR).exists()
    assert Client().login(username="old@example.org", password=PASSWORD)


def test_invitation_works_once(client: Client, django_capture_on_commit_callbacks: Any) -> None:
    track = make_track()
    link = _invite(track, "new@example.org", django_capture_on_commit_callbacks)
    client.post(link, {"name": "First", "password": "a brand new passphrase"})
    second = Client().post(link, {"name": "Second", "password": "another new passphrase"})
    assert second.status_code == 200
    assert second.context["error"]
    assert Membership.objects.filter(track=track, role=Role.ASSESSOR).count() == 1


def test_invitation_refuses_a_password_against_the_rules(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    track = make_track()
    link = _invite(track, "new@example.org", django_capture_on_commit_callbacks)
    answer = client.post(link, {"name": "First", "password": "12345678"})
    assert "password" in answer.context["form"].errors
    assert not Membership.objects.filter(track=track, role=Role.ASSESSOR).exists()


def test_invitation_page_of_an_unknown_token_looks_like_that_of_a_known_one(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    link = _invite(make_track(), "new@example.org", django_capture_on_commit_callbacks)
    known, unknown = client.get(link), client.get("/invitations/no-such-token/")
    assert known.status_code == unknown.status_code == 200


def test_refusal_is_in_the_language_of_the_page(client: Client) -> None:
    """A person who became an assessor after the invitation cannot join the team."""
    team = make_team()
    person = make_user()
    links: list[str] = []

    def address(token: str) -> str:
        links.append(reverse("invitation_accept", args=[token]))
        return links[-1]

    by = make_organizer(team.track)
    invite_member(
        track=team.track, email=person.email, by=by, accept_url=address, role=Role.TEAM_MEMBER, team=team
    )
    Membership.objects.create(user=person, track=team.track, role=Role.ASSESSOR)
    client.force_login(person)
    answer = client.post(links[0], headers={"accept-language": "de"})
    assert "dürfen die Runs nicht kennen" in answer.content.decode()
    assert not Membership.objects.filter(team=team).exists()


def test_invite_page_shows_why_somebody_cannot_be_invited(client: Client) -> None:
    track = make_track()
    client.force_login(make_organizer(track))
    member = make_assessor(track)
    answer = client.post(f"/tracks/{track.slug}/invite/", {"emails": member.email, "role": "assessor"})
    assert answer.context["form"].non_field_errors()
    assert not Mail.objects.exists()
