"""Invitations by API: the form and the action of the page, for all addresses or none, and once a request."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluation.models import Invitation, Mail, Role, Scope, Team, Track, User
from tests.evaluation.platform.web.api.conftest import program_of
from tests.factories import make_assessor, make_organizer, make_team, make_track, make_user

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

TWO = ["ada@example.org", "Grace@Example.org"]


@pytest.fixture
def track() -> Track:
    return make_track()


@pytest.fixture
def team(track: Track) -> Team:
    return make_team(track, name="Kestrel")


@pytest.fixture
def organizer(track: Track) -> User:
    return make_organizer(track)


@pytest.fixture
def program(organizer: User) -> Client:
    return program_of(organizer, Scope.ORGANIZE)


def address_of(track: Track) -> str:
    return f"/api/v1/tracks/{track.slug}/invitations"


def invite(program: Client, track: Track, *, key: str = "", **changes: Any) -> Answer:
    """The response to an invitation of two assessors, with ``changes``."""
    headers = {"Idempotency-Key": key} if key else {}
    return program.post(address_of(track), {"emails": TWO, "role": "assessor"} | changes, headers=headers)


def test_people_are_invited_by_mail_and_listed(program: Client, track: Track, organizer: User) -> None:
    limited = program_of(organizer, Scope.READ, Scope.SUBMIT)
    assert (invite(limited, track).status_code, limited.get(address_of(track)).status_code) == (403, 403)
    answer = invite(program, track)
    assert answer.status_code == 201
    first, second = Invitation.objects.order_by("pk")
    assert (first.email, first.role, first.invited_by) == ("ada@example.org", Role.ASSESSOR, organizer)
    assert second.email == "grace@example.org"
    assert list(Mail.objects.values_list("to", "what").order_by("pk")) == [
        ("ada@example.org", "invitation"),
        ("grace@example.org", "invitation"),
    ]
    told = answer.json()
    assert (told[0]["id"], told[0]["email"], told[0]["team"]) == (first.pk, "ada@example.org", None)
    assert (told[0]["role"], told[0]["invited_by"]) == ("assessor", organizer.name)
    assert "token" not in answer.content.decode()
    assert program.get(address_of(track)).json() == {"count": 2, "items": told}


@pytest.mark.parametrize("role", ["team_owner", "team_member", "organizer"])
def test_people_are_invited_to_a_team_or_to_organize(
    program: Client, track: Track, team: Team, role: str
) -> None:
    named = {} if role == "organizer" else {"team": "Kestrel"}
    answer = invite(program, track, role=role, **named)
    assert (answer.status_code, answer.json()[0]["team"]) == (201, named.get("team"))
    assert set(Invitation.objects.values_list("role", "team")) == {(role, team.pk if named else None)}


def test_only_open_invitations_of_the_track_are_listed(program: Client, track: Track, team: Team) -> None:
    invite(program, track, role="team_owner", team="Kestrel")
    invite(program_of(make_organizer(other := make_track())), other)
    accepted, expired = Invitation.objects.filter(track=track).order_by("pk")
    with CaptureQueriesContext(connection) as few:
        program.get(address_of(track))
    Invitation.objects.filter(pk=accepted.pk).update(accepted_at=timezone.now(), accepted_by=make_user())
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert program.get(address_of(track)).json()["count"] == 0
    for letter in "abcde":
        invite(program, track, emails=f"{letter}@example.org", role="team_member", team="Kestrel")
    with CaptureQueriesContext(connection) as more:
        assert program.get(address_of(track)).json()["count"] == 5
    assert len(more) == len(few)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"emails": ["ada@example.org", "nobody"]}, "emails: No e-mail address: nobody. Write them as"),
        ({"emails": ["a\0@example.org"]}, "emails"),
        ({"emails": []}, "emails"),
        ({"emails": [" , "]}, "emails: Write at least one address, such as"),
        (
            {"emails": [f"a{number}@example.org" for number in range(51)]},
            "emails: Write at most 50 addresses",
        ),
        ({"role": "king"}, "role"),
        ({"role": "team_owner"}, "team: name the team of a team_owner."),
        ({"role": "team_owner", "team": "Merlin"}, "has no team Merlin"),
        ({"role": "team_owner", "team": "Kest\0rel"}, "team"),
        ({"team": "Kestrel"}, "team: an assessor belongs to no team. Leave it out."),
        ({"key": "no uuid"}, "idempotency"),
    ],
)
def test_invitation_that_does_not_fit_is_refused_with_its_field(
    program: Client, track: Track, team: Team, changes: dict[str, Any], told: str
) -> None:
    make_team(make_track(), name="Merlin")
    answer = invite(program, track, **changes)
    assert answer.status_code == 422
    assert told in answer.json()["detail"] or told in answer.json()["detail"].lower()
    assert not Invitation.objects.exists()
    assert not Mail.objects.exists()


def test_one_person_who_cannot_be_invited_refuses_all_and_is_named(program: Client, track: Track) -> None:
    make_assessor(track, email="grace@example.org", name="Grace")
    for role, why in (("assessor", "assesses in"), ("organizer", "must not see its runs")):
        answer = invite(program, track, role=role)
        assert (answer.status_code, answer.json()["type"]) == (422, "urn:trackside:some-not-invited")
        assert "Nobody was invited. grace@example.org: Grace" in answer.json()["detail"]
        assert why in answer.json()["detail"]
    assert not Mail.objects.exists()


def test_request_sent_again_sends_no_second_mail(program: Client, track: Track, team: Team) -> None:
    key = str(uuid.uuid4())
    first, again = (invite(program, track, key=key) for _ in range(2))
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    assert Mail.objects.count() == 2
    for other in (
        invite(program, track, key=key, emails=TWO[:1]),
        invite(program, track, key=key, role="organizer"),
        invite(program, track, key=key, role="team_member", team="Kestrel"),
    ):
        assert (other.status_code, other.json()["type"]) == (409, "urn:trackside:key-used-twice")
    mate = program_of(make_organizer(track), Scope.ORGANIZE)
    assert invite(mate, track, key=key).status_code == 201
    assert invite(program, track).status_code == 201  # without a key
    assert Mail.objects.count() == 6
