import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from evaluation.models import Membership, Phase, Role, Task, Team, Track
from evaluation.results.values.actions import score_runs
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_qrels,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.whole_site import signed_in_client

pytestmark = pytest.mark.django_db


def test_home_of_a_site_without_tracks_leads_everybody_on(client: Client) -> None:
    assert "No track is open to the public" in client.get("/").content.decode()
    for person, words in (
        (make_staff(), 'href="/setup/"'),
        (
            make_user(email="reader@example.org"),
            "Ask the organizers of your track for an invitation to reader@example.org",
        ),
    ):
        client.force_login(person)
        assert words in client.get("/").content.decode()


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


def test_home_shows_only_the_persons_own_roles(client: Client) -> None:
    track = make_track()
    make_task(track, phase=Phase.OPEN)
    person = make_team_member(make_team(track, name="Kestrel"))
    make_team_member(make_team(track, name="Nordlys"))
    client.force_login(person)
    page = client.get("/").content.decode()
    assert "team owner, Kestrel" in " ".join(strip_tags(page).split())
    assert reverse("judging_list") not in page
    assert "Nordlys" not in page
    Membership.objects.create(user=person, track=track, role=Role.ASSESSOR)
    page = client.get("/").content.decode()
    assert "you: assessor" in page
    assert reverse("judging_list") in page


def test_home_shows_a_released_track_s_leader_and_downloads_to_all_but_its_assessors(client: Client) -> None:
    task = released_task()
    page = client.get("/").content.decode()
    assert "Results released" in page
    assert "of Kestrel leads with nDCG@10 1.00" in " ".join(strip_tags(page).split())
    assert "The best runs with 95 % intervals" in page
    for name in ("leaderboard", "collection_release", "topics_file"):
        assert reverse(name, args=[task.track.slug, task.slug]) in page
    assessor = signed_in_client(make_assessor(task.track)).get("/").content.decode()
    assert task.track.name in assessor
    assert "the-best-run" not in assessor
    for phase in (Phase.OPEN, Phase.CLOSED, Phase.JUDGING):
        Task.objects.filter(pk=task.pk).update(**dates_of(phase))
        assert "the-best-run" not in client.get("/").content.decode()


def test_query_count_does_not_grow_with_tracks(client: Client) -> None:
    task = released_task()
    addresses = ["/", reverse("track_detail", args=[task.track.slug])]
    before = [count_queries(client, each) for each in addresses]
    for _ in range(3):
        released_task()
        released_task(task.track)
    assert [count_queries(client, each) for each in addresses] == before
    assert max(before) <= 20


def count_queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as statements:
        assert client.get(address).status_code == 200
    return len(statements)


def released_task(track: Track | None = None) -> Task:
    task = make_task(track, phase=Phase.RELEASED, topic_count=1, document_count=2)
    team = Team.objects.filter(track=task.track).first() or make_team(task.track, name="Kestrel")
    make_run(task, team, tag="the-best-run", results={"T1": ["D1", "D2"]})
    make_qrels(task, name="people", grades={("T1", "D1"): 2, ("T1", "D2"): 1})
    score_runs(task=task)
    return task
