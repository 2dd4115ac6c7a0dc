"""Inviting assessors: one mail, one use."""

import re

import pytest
from django.utils import timezone
from pytest_django import Settings

from evaluation.access.limits.rates import TooManyRequests
from evaluation.models import Invitation, Mail, Membership, Role, Track, User
from evaluation.teams.invitations import accept_invitation, invite_member, invite_people
from tests.factories import make_assessor, make_organizer, make_track, make_user
from tests.refusals import refused
from trackside.rates import RateLimit

pytestmark = pytest.mark.django_db


def _invite(track: Track, email: str = "new@example.org", role: Role = Role.ASSESSOR) -> str:
    """Send an invitation and give the token of its link."""
    organizer = make_organizer(track)
    invite_member(
        track=track,
        email=email,
        by=organizer,
        accept_url=lambda token: f"https://x.example/{token}",
        role=role,
    )
    (token,) = re.findall(r"https://x\.example/(\S+)", str(Mail.objects.latest("pk").text))
    return str(token)


def test_invitation_keeps_the_hash_of_its_token_only() -> None:
    token = _invite(make_track())
    invitation = Invitation.objects.get()
    assert token not in repr(vars(invitation))
    assert Mail.objects.latest("pk").to == "new@example.org"


def test_invitation_makes_a_new_account_an_assessor_once() -> None:
    track = make_track()
    token = _invite(track)
    person = accept_invitation(token=token, by=None, name="R. Okafor", password="a brand new passphrase")
    assert (person.email, person.name) == ("new@example.org", "R. Okafor")
    assert person.check_password("a brand new passphrase")
    assert Membership.objects.get(user=person).role == Role.ASSESSOR
    assert Invitation.objects.get().accepted_by == person
    with refused("invitation-not-open"):
        accept_invitation(token=token, by=make_user())


def test_invitation_expires_by_the_database_clock() -> None:
    token = _invite(make_track())
    Invitation.objects.update(expires_at=timezone.now())
    with refused("invitation-not-open", match="new invitation"):
        accept_invitation(token=token, by=None, name="N", password="a brand new passphrase")
    assert not User.objects.filter(email="new@example.org").exists()


@pytest.mark.parametrize("is_deactivated", [False, True])
def test_removed_organizer_cannot_come_back_by_an_own_invitation(*, is_deactivated: bool) -> None:
    track = make_track()
    token = _invite(track, role=Role.ORGANIZER)
    inviter = User.objects.get(memberships__role=Role.ORGANIZER)
    if is_deactivated:
        User.objects.filter(pk=inviter.pk).update(is_active=False)
    else:
        inviter.memberships.all().delete()
    with refused("invitation-not-open"):
        accept_invitation(token=token, by=make_user())


def test_invitation_of_an_organizer_holds_while_its_inviter_organizes() -> None:
    track = make_track()
    token = _invite(track, "New@example.org", role=Role.ORGANIZER)
    person = accept_invitation(token=token, by=make_user(email="new@example.org"))
    assert person.memberships.get().role == Role.ORGANIZER


def test_invitation_of_an_organizer_works_for_the_invited_address_only() -> None:
    """The link may have been forwarded, or read in a log or on a shared screen."""
    token = _invite(make_track(), "new@example.org", role=Role.ORGANIZER)
    finder = make_user(email="finder@example.org")
    with refused("invited-another-address", match=r"finder@example\.org") as refusal:
        accept_invitation(token=token, by=finder)
    assert "new@example.org" not in str(refusal.value)
    assert not finder.memberships.exists()
    assert accept_invitation(token=token, by=None, name="N", password="a brand new passphrase").email == (
        "new@example.org"
    )


def test_invitations_are_counted_by_address(settings: Settings) -> None:
    """One form names 50 addresses, so counting forms let an organizer mail 10,000 strangers an hour."""
    settings.RATES = settings.RATES | {"invited_address": RateLimit.of("3/h")}
    track = make_track()
    organizer = make_organizer(track)

    def invite(*emails: str) -> None:
        invite_people(track=track, emails=emails, role=Role.ASSESSOR, by=organizer, accept_url=str)

    with pytest.raises(TooManyRequests):
        invite(*(f"{number}@example.org" for number in range(4)))
    assert not Invitation.objects.exists()
    invite("1@example.org", "2@example.org", "3@example.org")
    with pytest.raises(TooManyRequests):
        invite("4@example.org")


def test_invitation_of_an_address_with_an_account_needs_its_owner() -> None:
    track = make_track()
    person = make_user(email="Old@example.org")
    token = _invite(track, "old@example.org")
    with refused("account-exists", match="Sign in"):
        accept_invitation(token=token, by=None, name="N", password="a brand new passphrase")
    assert accept_invitation(token=token, by=person) == person


def test_invitation_is_not_for_those_who_see_runs_or_assess_already() -> None:
    track = make_track()
    organizer, assessor = make_organizer(track), make_assessor(track)
    with refused("organizer-cannot-assess"):
        _invite(track, organizer.email)
    with refused("already-member"):
        _invite(track, assessor.email.upper())
    token = _invite(track)
    with refused("organizer-cannot-assess"):
        accept_invitation(token=token, by=organizer)
    assert Invitation.objects.get().accepted_at is None
