"""Pages of a track and of a finished test collection: who reads what, and dates as one list."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Task, Track, User
from evaluation.organizing.pages.task_facts import dates_of as milestones_of
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_qrels,
    make_run,
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


def test_dates_that_tasks_share_are_listed_once() -> None:
    track = make_track()
    first = make_task(track, phase=Phase.JUDGING, name="Suggestion")
    dates = {name: getattr(first, name) for name in ("opens_at", "closes_at", "judging_at")}
    second = make_task(track, **dates, releases_at=None, name="Promotion")
    second.phase = Phase.JUDGING
    found = milestones_of([first, second], zone="Europe/Berlin")
    assert [(each.words, each.tasks, each.is_past) for each in found.milestones] == [
        ("Open for runs", (), True),
        ("Runs close", (), True),
        ("Judging opens", (), True),
        ("Results released", ("Suggestion",), False),
    ]
    assert found.zone_title == "Europe/Berlin"


def test_a_track_without_tasks_has_no_dates() -> None:
    assert milestones_of([], zone="UTC").milestones == ()


def _get(task: Task, reader: User | None = None) -> tuple[int, str]:
    client = Client()
    if reader:
        client.force_login(reader)
    answer = client.get(reverse("collection_release", args=[task.track.slug, task.slug]))
    return answer.status_code, answer.content.decode()


def test_collection_is_public_from_the_release_with_licence_citation_and_files() -> None:
    track = make_track(
        slug="lakes",
        name="Lakes",
        year=2026,
        licence="CC BY 4.0",
        doi="10.5281/zenodo.7",
        has_public_runs=True,
    )
    task = make_task(track, phase=Phase.JUDGING, slug="photos", name="Photos")
    make_topic(task, number="T1")
    make_run(task, tag="deep")
    qrels = make_qrels(task, name="people")
    absent = Client().get("/tracks/lakes/tasks/none/collection/")
    assert _get(task) == (404, absent.content.decode())
    assert _get(task, make_organizer(track))[0] == 200
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    status, page = _get(task)
    assert status == 200
    for part in (
        "CC BY 4.0",
        "https://doi.org/10.5281/zenodo.7",
        "@misc{lakes-photos,",
        "topics.jsonl",
        "deep",
    ):
        assert part in page
    assert f"/qrels/{qrels.pk}.qrels" in page
    assert _get(task, make_assessor(track))[0] == 404


def test_collection_names_no_unpublished_run_and_cites_as_the_track_sets() -> None:
    task = make_task(phase=Phase.RELEASED)
    make_run(task, tag="deep-kestrel")
    Track.objects.filter(pk=task.track_id).update(citation="@inproceedings{own,}")
    _, page = _get(task)
    assert "deep-kestrel" not in page
    assert "does not publish its runs" in page
    assert "@inproceedings{own,}" in page
