"""The page of the finished test collection: public from the release, byte for byte absent before."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Task, Track, User
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_topic,
    make_track,
)

pytestmark = pytest.mark.django_db


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
