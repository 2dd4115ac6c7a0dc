"""Announcements: who reads them, the preview, and one mail for each reader."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.test import Client
from django.urls import reverse

from evaluation.models import Announcement, Audience, Mail, Phase, Role, RunState, Track, User
from evaluation.submissions.teams.registering import decide_application
from evaluation.tracks.announcements.actions import announce, people_reading
from evaluation.tracks.mail.actions import send_mails
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def track() -> Track:
    return make_task(phase=Phase.OPEN).track


@pytest.fixture
def organizer(track: Track) -> User:
    return make_organizer(track)


def announced(track: Track, by: User, audience: Audience, *, is_mailed: bool = False) -> Announcement:
    return announce(
        track=track,
        audience=audience,
        subject=f"For {audience}",
        text="Topic 7 names *two* places.",
        is_mailed=is_mailed,
        by=by,
    )


def test_each_audience_reads_its_own_announcements(track: Track, organizer: User) -> None:
    for audience in Audience:
        announced(track, organizer, audience)
    readers: dict[str, User | AnonymousUser] = {
        "stranger": make_organizer(make_track()),
        "signed-out": AnonymousUser(),
        "team": make_team_member(make_team(track)),
        "assessor": make_assessor(track),
        "organizer": organizer,
    }
    found = {
        name: {each.audience for each in Announcement.objects.visible_to(reader)}
        for name, reader in readers.items()
    }
    assert found == {
        "stranger": {"everybody"},
        "signed-out": {"everybody"},
        "team": {"everybody", "teams", "no-run"},
        "assessor": {"everybody", "assessors"},
        "organizer": set(Audience.values),
    }


def test_announcements_to_teams_by_state(track: Track, organizer: User) -> None:
    """A run rejected, accepted, withdrawn or none; one team is approved, another declined."""
    for audience in (Audience.NO_RUN, Audience.REJECTED, Audience.APPROVED):
        announced(track, organizer, audience, is_mailed=False)
    task = track.tasks.get()
    states: dict[str, tuple[RunState, ...]] = {
        "none": (),
        "rejected": (RunState.REJECTED,),
        "mended": (RunState.REJECTED, RunState.ACCEPTED),
        "accepted": (RunState.ACCEPTED,),
        "approved": (),
        "declined": (),
        "baselines": (),
        "assessor too": (RunState.REJECTED,),
    }
    members = {}
    for name, runs in states.items():
        team = make_team(track, is_baseline=name == "baselines")
        members[name] = make_team_member(team)
        for number, state in enumerate(runs):
            make_run(task, team, tag=f"{team.pk}-{number}", state=state, received_by=members[name])
        if name in ("approved", "declined"):
            decide_application(team=team, is_approved=name == "approved", note="", by=organizer)
    members["assessor too"].memberships.create(track=track, role=Role.ASSESSOR)
    found = {
        name: {each.audience for each in Announcement.objects.visible_to(User.objects.get(pk=person.pk))}
        for name, person in members.items()
    }
    assert found == {
        "none": {"no-run"},
        "rejected": {"no-run", "rejected"},
        "mended": set(),
        "accepted": set(),
        "approved": {"no-run", "approved"},
        "declined": {"no-run"},
        "baselines": set(),
        "assessor too": set(),
    }
    assert set(people_reading(track, Audience.NO_RUN)) == {
        members[name] for name in ("none", "rejected", "approved", "declined")
    }
    assert set(people_reading(track, Audience.REJECTED)) == {members["rejected"]}


def test_announcement_to_teams_stays_hidden_from_a_member_who_assesses(track: Track, organizer: User) -> None:
    both = make_team_member(make_team(track))
    both.memberships.create(track=track, role=Role.ASSESSOR)
    announced(track, organizer, Audience.TEAMS, is_mailed=True)
    assert not Announcement.objects.visible_to(both).exists()
    assert not Mail.objects.exists()


def test_news_of_a_track_that_has_opened_nothing_stay_hidden(organizer: User) -> None:
    track = make_task(phase=Phase.DRAFT).track
    announced(track, organizer, Audience.EVERYBODY)
    assert not Announcement.objects.visible_to(make_user()).filter(track=track).exists()


def test_public_page_shows_the_news_newest_first(client: Client, track: Track, organizer: User) -> None:
    announced(track, organizer, Audience.TEAMS)
    first = announced(track, organizer, Audience.EVERYBODY)
    Announcement.objects.filter(pk=first.pk).update(subject="An older one")
    announced(track, organizer, Audience.EVERYBODY)
    page = client.get(reverse("track_detail", args=[track.slug])).content.decode()
    assert page.index("For everybody") < page.index("An older one")
    assert "<em>two</em>" in page
    assert "For teams" not in page


@pytest.mark.parametrize(
    ("audience", "recipients"),
    [
        (Audience.EVERYBODY, {"owner@example.org", "both@example.org", "assessor@example.org"}),
        (Audience.TEAMS, {"owner@example.org", "both@example.org"}),
        (Audience.ASSESSORS, {"assessor@example.org"}),
    ],
)
def test_readers_with_a_role_get_one_mail_each(
    track: Track, organizer: User, audience: Audience, recipients: set[str]
) -> None:
    team = make_team(track)
    make_team_member(team, email="owner@example.org")
    make_team_member(team, email="gone@example.org", is_active=False)
    both = make_team_member(team, email="both@example.org")
    both.memberships.create(track=track, role="team_member", team=make_team(track))
    make_assessor(track, email="assessor@example.org")
    make_team_member(make_team(make_track()), email="elsewhere@example.org")
    announced(track, organizer, audience, is_mailed=True)
    send_mails()
    assert sorted(message.to[0] for message in mail.outbox) == sorted(recipients)
    assert mail.outbox[0].subject == f"{track}: For {audience}"
    assert "Topic 7 names *two* places." in mail.outbox[0].body


def test_nothing_is_published_before_the_preview_is_confirmed(
    client: Client, track: Track, organizer: User
) -> None:
    make_team_member(make_team(track))
    client.force_login(organizer)
    address = reverse("announcement_create", args=[track.slug])
    asked = {"audience": "teams", "subject": "Deadline", "text": "It *stays*.", "is_mailed": "on"}
    page = client.post(address, asked).content.decode()
    assert "Publishing also mails it to 1 person." in page
    assert f"Subject: {track}: Deadline\n\nIt *stays*." in page
    assert "<em>stays</em>" in page
    assert not Announcement.objects.exists()
    assert not Mail.objects.exists()
    assert client.post(address, asked | {"publish": "1"}).status_code == 302
    assert Announcement.objects.get().created_by == organizer
    assert Mail.objects.get().subject == f"{track}: Deadline"
