import pytest
from django.test import Client

from evaluation.models import Membership, Phase, Role
from tests.factories import (
    make_organizer,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_home_tells_the_site_s_staff_to_make_the_first_track(client: Client) -> None:
    client.force_login(make_staff())
    assert "/admin/evaluation/track/add/" in client.get("/").content.decode()


def test_home_tells_a_person_without_track_to_ask_for_an_invitation(client: Client) -> None:
    client.force_login(make_user(email="reader@example.org"))
    assert (
        "Ask the organizers of your track for an invitation to reader@example.org"
        in client.get("/").content.decode()
    )


def test_home_tells_the_signed_out_to_sign_in(client: Client) -> None:
    assert "No track is open to the public" in client.get("/").content.decode()


def test_home_lists_opened_tasks_to_everybody_and_drafts_to_organizers(client: Client) -> None:
    track = make_track(name="Illustrate")
    make_task(track, phase=Phase.OPEN, name="Suggestion")
    make_task(track, phase=Phase.DRAFT, name="Promotion")
    page = client.get("/").content.decode()
    assert "Suggestion" in page
    assert "Promotion" not in page
    client.force_login(make_organizer(track))
    assert "Promotion" in client.get("/").content.decode()


def test_home_hides_a_track_that_has_opened_nothing_from_strangers(client: Client) -> None:
    track = make_track(name="Illustrate")
    make_task(track, phase=Phase.DRAFT)
    assert "Illustrate" not in client.get("/").content.decode()
    client.force_login(make_team_member(make_team(track)))
    assert "No task has opened yet" in client.get("/").content.decode()


def test_home_names_one_s_own_roles_and_nobody_else_s(client: Client) -> None:
    track = make_track()
    make_task(track, phase=Phase.OPEN)
    person = make_team_member(make_team(track, name="Kestrel"))
    make_team_member(make_team(track, name="Nordlys"))
    client.force_login(person)
    page = client.get("/").content.decode()
    assert "team owner, Kestrel" in page
    assert "Nordlys" not in page
    Membership.objects.create(user=person, track=track, role=Role.ASSESSOR)
    assert "you: assessor" in client.get("/").content.decode()
