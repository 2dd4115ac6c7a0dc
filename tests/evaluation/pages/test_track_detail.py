import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Track
from tests.factories import (
    make_assessor,
    make_organizer,
    make_task,
    make_team,
    make_team_member,
    make_topic,
    make_track,
)
from tests.whole_site import signed_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def track() -> Track:
    track = make_track()
    make_task(track, phase=Phase.OPEN)
    make_team_member(make_team(track, name="Kestrel"), name="M. Lindqvist")
    make_assessor(track, name="R. Okafor")
    return track


def test_track_page_shows_organizers_alone_who_takes_part(client: Client, track: Track) -> None:
    page = signed_in_client(make_organizer(track)).get(f"/tracks/{track.slug}/").content.decode()
    assert [name for name in ("Kestrel", "M. Lindqvist", "R. Okafor") if name not in page] == []
    for person in (None, make_assessor(track), make_team_member(make_team(track))):
        if person:
            client.force_login(person)
        page = client.get(f"/tracks/{track.slug}/").content.decode()
        assert "Kestrel" not in page
        assert "Okafor" not in page


def test_track_page_leads_its_assessors_to_their_topics(client: Client, track: Track) -> None:
    people = {make_assessor(track): True, make_assessor(make_track()): False, make_organizer(track): False}
    for person, is_led in people.items():
        client.force_login(person)
        page = client.get(f"/tracks/{track.slug}/").content.decode()
        assert (reverse("judging_list") in page) == is_led


def test_track_page_promises_no_qrels_to_its_assessors(client: Client, track: Track) -> None:
    make_topic(make_task(track, phase=Phase.RELEASED))
    for person, is_promised in {make_assessor(track): False, make_assessor(make_track()): True}.items():
        client.force_login(person)
        page = client.get(f"/tracks/{track.slug}/").content.decode()
        assert ("Qrels are published with the results." in page) == is_promised


@pytest.mark.parametrize(("topic_count", "has_table"), [(0, False), (1, True)])
def test_data_of_a_track_are_a_table_once_there_are_any(
    client: Client, topic_count: int, *, has_table: bool
) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=topic_count)
    client.force_login(make_organizer(task.track))
    page = client.get(reverse("track_detail", args=[task.track.slug])).content.decode()
    assert ("Table: data" in page) == has_table
    assert ("Nothing to download yet." in page) != has_table


def test_track_shows_its_guidelines_as_cleaned_html(client: Client) -> None:
    task = make_task(make_track(guidelines="# Rules\n\n* one\n\n<script>alert(1)</script>"))
    page = client.get(reverse("track_detail", args=[task.track.slug])).content.decode()
    assert "<h3>Rules</h3>" in page
    assert "<li>one</li>" in page
    assert "<script>alert" not in page
