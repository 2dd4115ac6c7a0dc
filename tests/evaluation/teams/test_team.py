"""A team from the track's page to its second member."""

import re

import pytest
from django.test import Client

from evaluation.models import Team, User
from evaluation.teams.membership import leave_team, rename_team
from tests.factories import make_assessor, make_task, make_team, make_team_member, make_user
from tests.refusals import refused

pytestmark = pytest.mark.django_db


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
