"""Invitations: one mail, one use, for the address that was invited."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from evaluation.models import Invitation, Mail, Membership, Phase, Role, Track, User
from evaluation.platform.access.limits.rates import TooManyRequests
from evaluation.submissions.teams.invitations import accept_invitation, invite_member, invite_people
from tests.factories import (
    make_assessor,
    make_organizer,
    make_task,
    make_team,
    make_track,
    make_user,
)
from tests.refusals import refused
from trackside.rates import RateLimit

pytestmark = pytest.mark.django_db


def _invite(track: Track, email: str, capture: Any) -> str:
    """Send an invitation as an organizer does, and give the path of the mailed link."""
    client = Client(headers={"host": "localhost"})
    client.force_login(make_organizer(track))
    with capture(execute=True):
        client.post(f"/tracks/{track.slug}/invite/", {"emails": email, "role": "assessor"})
    (found,) = re.findall(r"http://127\.0\.0\.1:8000(/invitations/\S+)", str(Mail.objects.latest("pk").text))
    return str(found)


def test_invitation_is_mailed_and_makes_one_account_with_a_good_password(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    track = make_track(name="Illustrate")
    make_task(track, phase=Phase.JUDGING)
    link = _invite(track, "new@example.org", django_capture_on_commit_callbacks)
    assert Mail.objects.latest("pk").to == "new@example.org"
    assert "Choose a name and a password" in client.get(link).content.decode()
    assert client.get("/invitations/no-such-token/").status_code == 200, "as that of a known token"
    weak = client.post(link, {"name": "First", "password": "12345678"})
    assert "password" in weak.context["form"].errors
    assert not Membership.objects.filter(role=Role.ASSESSOR).exists()
    answer = client.post(link, {"name": "R. Okafor", "password": "a brand new passphrase"})
    assert answer.headers["Location"] == reverse("judging_list")
    assert "you: assessor" in client.get("/").content.decode()
    member = Membership.objects.get(track=track, role=Role.ASSESSOR)
    assert (member.user.email, member.user.name) == ("new@example.org", "R. Okafor")
    assert Invitation.objects.get().accepted_by == member.user
    assert Client().login(username="new@example.org", password="a brand new passphrase")
    second = Client().post(link, {"name": "Second", "password": "another new passphrase"})
    assert second.status_code == 200
    assert second.context["error"], "it works once"
    assert Membership.objects.filter(track=track, role=Role.ASSESSOR).count() == 1


@pytest.mark.parametrize("role", ["organizer", "team_owner", "team_member"])
@pytest.mark.parametrize("open_count", [0, 1, 2])
def test_accepting_an_invitation_leads_to_the_work_of_the_role(role: str, open_count: int) -> None:
    track = make_track()
    tasks = [make_task(track, phase=Phase.OPEN) for _ in range(open_count)]
    team = None if role == "organizer" else make_team(track)
    invitation = invite_member(
        track=track,
        email="new@example.org",
        role=Role(role),
        by=make_organizer(track),
        accept_url=lambda token: token,
        team=team,
    )
    client = Client()
    client.force_login(make_user(email="new@example.org"))
    answer = client.post(reverse("invitation_accept", args=[invitation.link]))
    page = "task_detail" if role == "organizer" else "run_upload"
    one = [reverse(page, args=[track.slug, task.slug]) for task in tasks]
    assert answer.headers["Location"] == (one[0] if open_count == 1 else f"/tracks/{track.slug}/")
    assert client.get(answer.headers["Location"]).status_code == 200


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


@pytest.mark.parametrize("page", ["/tracks/{track}/invite/", "/tracks/{track}/tasks/{task}/setup/people/"])
def test_site_without_mail_shows_each_link_once_and_it_works(
    client: Client, settings: Settings, page: str
) -> None:
    settings.MAIL_DELIVERY_BACKEND = "django.core.mail.backends.console.EmailBackend"
    task = make_task()
    client.force_login(make_organizer(task.track))
    address = page.format(track=task.track.slug, task=task.slug)
    emails = ["ann@example.org", "bo@example.org"]
    shown = client.post(address, {"emails": "\n".join(emails), "role": "assessor"}, follow=True)
    content = shown.content.decode()
    assert "on their way" not in content
    links = re.findall(r"([^\s>]+), once within 14 days: http\S+?(/invitations/[\w-]+/)", content)
    assert [email for email, _ in links] == emails
    assert links[0][1] not in client.get(address).content.decode()
    Client().post(links[0][1], {"name": "Ann", "password": "a brand new passphrase"})
    assert Membership.objects.get(user__email=emails[0]).role == Role.ASSESSOR
    dashboard = client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/").content.decode()
    assert "This site sends no mail" in dashboard


def test_site_with_mail_shows_no_link(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    address = f"/tracks/{task.track.slug}/invite/"
    shown = client.post(address, {"emails": "ann@example.org", "role": "assessor"}, follow=True)
    assert "/invitations/" not in shown.content.decode()
    dashboard = client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/").content.decode()
    assert "This site sends no mail" not in dashboard


def invited_token(track: Track, email: str = "new@example.org", role: Role = Role.ASSESSOR) -> str:
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
    token = invited_token(make_track())
    invitation = Invitation.objects.get()
    assert token not in repr(vars(invitation))


def test_invitation_expires_by_the_database_clock() -> None:
    token = invited_token(make_track())
    Invitation.objects.update(expires_at=timezone.now())
    with refused("invitation-not-open", match="new invitation"):
        accept_invitation(token=token, by=None, name="N", password="a brand new passphrase")
    assert not User.objects.filter(email="new@example.org").exists()


@pytest.mark.parametrize("is_deactivated", [False, True])
def test_removed_organizer_cannot_come_back_by_an_own_invitation(*, is_deactivated: bool) -> None:
    track = make_track()
    token = invited_token(track, role=Role.ORGANIZER)
    inviter = User.objects.get(memberships__role=Role.ORGANIZER)
    if is_deactivated:
        User.objects.filter(pk=inviter.pk).update(is_active=False)
    else:
        inviter.memberships.all().delete()
    with refused("invitation-not-open"):
        accept_invitation(token=token, by=make_user())


def test_invitation_of_an_organizer_holds_while_its_inviter_organizes() -> None:
    track = make_track()
    token = invited_token(track, "New@example.org", role=Role.ORGANIZER)
    person = accept_invitation(token=token, by=make_user(email="new@example.org"))
    assert person.memberships.get().role == Role.ORGANIZER


def test_invitation_of_an_organizer_works_for_the_invited_address_only() -> None:
    """The link may have been forwarded, or read in a log or on a shared screen."""
    token = invited_token(make_track(), "new@example.org", role=Role.ORGANIZER)
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
    token = invited_token(track, "old@example.org")
    with refused("account-exists", match="Sign in"):
        accept_invitation(token=token, by=None, name="N", password="a brand new passphrase")
    assert accept_invitation(token=token, by=person) == person


def test_invitation_is_not_for_those_who_see_runs_or_assess_already() -> None:
    track = make_track()
    organizer, assessor = make_organizer(track), make_assessor(track)
    with refused("organizer-cannot-assess"):
        invited_token(track, organizer.email)
    with refused("already-member"):
        invited_token(track, assessor.email.upper())
    token = invited_token(track)
    with refused("organizer-cannot-assess"):
        accept_invitation(token=token, by=organizer)
    assert Invitation.objects.get().accepted_at is None
