import pytest
from django.test import Client

from evaluation.models import Phase, RunState, Task
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_track,
)

pytestmark = pytest.mark.django_db


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/"


@pytest.fixture
def draft() -> Task:
    """A draft task of a track with an open task, so that the track itself is visible."""
    track = make_track()
    make_task(track, phase=Phase.OPEN)
    return make_task(track, phase=Phase.DRAFT, topic_count=1)


def test_page_not_found_is_the_same_for_everybody(client: Client, draft: Task) -> None:
    signed_out = client.get("/nothing").content
    client.force_login(make_organizer(draft.track))
    assert client.get("/nothing/else?q=1").content == signed_out


def test_run_of_another_task_is_not_found_under_this_one(client: Client) -> None:
    track = make_track()
    task, other = make_task(track), make_task(track)
    run = make_run(other, make_team(track))
    client.force_login(make_organizer(track))
    assert client.get(f"{_address(other)}runs/{run.pk}/").status_code == 200
    assert client.get(f"{_address(task)}runs/{run.pk}/").status_code == 404


def test_pages_that_act_send_the_signed_out_to_sign_in_whether_the_task_exists_or_not(client: Client) -> None:
    task = make_task(phase=Phase.DRAFT)
    for slug in (task.slug, "no-such-task"):
        address = f"/tracks/{task.track.slug}/tasks/{slug}/pools/"
        assert client.get(address).headers["Location"] == f"/account/login/?next={address}"


def test_assessors_see_no_run_even_after_the_release(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    run = make_run(task, make_team(task.track, name="Kestrel"), tag="kestrel-1")
    make_run(task, state=RunState.REJECTED)
    client.force_login(make_assessor(task.track))
    assert client.get(f"{_address(task)}runs/{run.pk}/").status_code == 404
    for tail in ("", "runs/"):
        page = client.get(_address(task) + tail)
        assert page.status_code == 200
        assert "estrel" not in page.content.decode()
