"""Making and naming teams, from the track's page to the second member."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import Settings

from evaluation.models import Membership, Phase, Role, RunState, Team, User
from evaluation.submissions.teams.membership import (
    create_team,
    hand_over_team,
    join_team,
    leave_team,
    rename_team,
    renew_team_link,
)
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_team_is_owned_by_its_creator() -> None:
    person = make_user()
    team = create_team(track=make_task().track, name="Kestrel", by=person)
    member = Membership.objects.get(team=team)
    assert (member.user, member.role, member.track) == (person, Role.TEAM_OWNER, team.track)


def test_team_is_not_for_those_who_judge_blind_or_see_all_runs_or_have_shown_no_address() -> None:
    track = make_task().track
    for person, refusal in (
        (make_assessor(track), "assessor-cannot-take-part"),
        (make_organizer(track), "organizer-cannot-take-part"),
        (make_staff(), "organizer-cannot-take-part"),
        (User.objects.create_user("nobody@example.org"), "address-not-verified"),
    ):
        with refused(refusal):
            create_team(track=track, name="Kestrel", by=person)
    assert create_team(track=track, name="Kestrel", by=make_organizer(make_task().track))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.OPEN])
def test_track_accepts_teams_while_a_task_accepts_runs(phase: Phase) -> None:
    task = make_task(phase=phase)
    with refused("track-takes-no-teams"):
        create_team(track=task.track, name="Kestrel", by=make_user())
    make_task(task.track, phase=Phase.OPEN)
    create_team(track=task.track, name="Kestrel", by=make_user())


def test_owner_renames_the_team_until_a_run_is_accepted() -> None:
    task = make_task()
    team = make_team(task.track, name="kestrel")
    make_run(task, team, state=RunState.REJECTED)
    owner = make_team_member(team)
    rename_team(team=team, name="Kestrel", by=owner)
    with refused("not-owner"):
        rename_team(team=team, name="Other", by=make_team_member(team, role=Role.TEAM_MEMBER))
    with refused("team-name-not-free"):
        rename_team(team=team, name=make_team(task.track).name, by=owner)
    make_run(task, team, state=RunState.WITHDRAWN)
    with refused("team-name-settled"):
        rename_team(team=team, name="Other", by=owner)
    assert Team.objects.get(pk=team.pk).name == "Kestrel"


def test_name_that_looks_like_another_teams_is_refused() -> None:
    track, name = make_task().track, "Kеstre1"  # with a Cyrillic letter and a digit
    create_team(track=track, name="Kestrel", by=make_user())
    with refused("team-name-not-free", match="looks like it"):
        create_team(track=track, name=name, by=make_user())
    with pytest.raises(IntegrityError), transaction.atomic():
        Team.objects.create(track=track, name=name)
    with pytest.raises(ValidationError, match="looks like it"):
        Team(track=track, name=name).full_clean()
    create_team(track=make_task().track, name="Kestrel", by=make_user())


def test_name_has_no_invisible_character() -> None:
    track, name = make_task().track, "Kes\u202etrel"
    with refused("hidden-character"):
        create_team(track=track, name=name, by=make_user())
    with pytest.raises(IntegrityError), transaction.atomic():
        Team.objects.create(track=track, name=name)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_track(name=name)


def test_tracks_of_a_year_have_names_that_look_different() -> None:
    make_track(name="Illustrate", year=2026)
    make_track(name="ILLUSTRATE", year=2025)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_track(name="lllustrate", year=2026)


def test_number_of_teams_of_a_person_in_a_track_is_limited(settings: Settings) -> None:
    settings.MAX_TEAMS = 2
    track, person, other = make_task().track, make_user(), make_user()
    first, second = (create_team(track=track, name=name, by=person) for name in ("Kestrel", "Nordlys"))
    # Teams that a person created count also after the person left; else limits of teams have no effect.
    Membership.objects.create(user=other, track=track, role=Role.TEAM_MEMBER, team=first)
    hand_over_team(team=first, person=other, by=person)
    leave_team(team=first, by=person)
    with refused("too-many-teams", match="2 teams"):
        create_team(track=track, name="Third", by=person)
    owner = make_user()
    link = renew_team_link(team=create_team(track=track, name="Another", by=owner), by=owner)
    with refused("too-many-teams"):
        join_team(token=link.link_token, by=person)
    create_team(track=make_task().track, name="Elsewhere", by=person)
    assert second.created_by == person
    for team in (second, make_team(track)):
        Membership.objects.create(user=other, track=track, role=Role.TEAM_MEMBER, team=team)
    with refused("too-many-teams"):
        create_team(track=track, name="Fourth", by=other)


@pytest.mark.parametrize("state", list(RunState))
def test_name_is_settled_by_a_run_that_was_ever_accepted(state: RunState) -> None:
    task = make_task()
    team = make_team(task.track)
    make_run(task, team, state=state)
    is_settled = state in {RunState.ACCEPTED, RunState.REPLACED, RunState.WITHDRAWN}
    assert team.has_settled_name == is_settled


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_team_is_made_from_the_track_s_page_and_joined_by_its_link() -> None:
    track = make_task().track
    owner, friend = browser_of(make_user()), browser_of(make_user(name="F. Friend"))
    assert f"/tracks/{track.slug}/teams/new/" in owner.get(f"/tracks/{track.slug}/").content.decode()
    made = owner.post(f"/tracks/{track.slug}/teams/new/", {"name": "Kestrel"})
    page = made.headers["Location"]
    owner.post(f"{page}link/renew/")
    (link,) = re.findall(r"http://127\.0\.0\.1:8000(/teams/join/[^/]+/)", owner.get(page).content.decode())
    assert "Join Kestrel" in friend.get(link).content.decode()
    assert friend.post(link).headers["Location"] == page
    assert "F. Friend" in owner.get(page).content.decode()
    assert "Kestrel" in friend.get(f"/tracks/{track.slug}/").content.decode()


def test_link_hides_the_team_s_name_from_people_who_may_not_join(client: Client) -> None:
    team = make_team(make_task().track, name="Kestrel", has_link=True)
    address = f"/teams/join/{team.link_token}/"
    for reader in (client, browser_of(make_assessor(team.track))):
        assert "Kestrel" not in reader.get(address).content.decode()


def test_refusal_is_on_the_team_s_page() -> None:
    team = make_team()
    owner = browser_of(make_team_member(team))
    make_team_member(team)
    other = Team.objects.get().memberships.latest("pk").user
    address = f"/tracks/{team.track.slug}/teams/{team.pk}/"
    page = owner.post(f"{address}members/{other.pk}/remove/", follow=True)
    assert "An owner can leave" in page.content.decode()


def test_team_that_a_concurrent_request_deleted_is_gone_for_the_second() -> None:
    team = make_team()
    owner = make_team_member(team)
    first, second = Team.objects.get(pk=team.pk), Team.objects.get(pk=team.pk)
    leave_team(team=first, by=owner)
    with refused("team-gone", match="its last member has left"):
        leave_team(team=second, by=owner)
    with refused("team-gone"):
        rename_team(team=second, name="Nordlys", by=owner)
