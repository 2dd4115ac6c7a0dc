"""A parked run: its page shows why, and only organizers have a button."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Run, RunState
from evaluation.runs.checking import recheck_run
from tests.factories import make_organizer, make_run, make_task, make_team, make_team_member
from tests.refusals import refused

pytestmark = pytest.mark.django_db
REASON = "Reading stopped: the file needs more than 600 seconds."


@pytest.fixture
def run() -> Run:
    task = make_task()
    return make_run(
        task, make_team(task.track), state=RunState.PARKED, check_attempt_count=3, check_error=REASON
    )


def _page(client: Client, run: Run) -> str:
    address = reverse("run_detail", args=[run.task.track.slug, run.task.slug, run.pk])
    return client.get(address).content.decode()


def test_page_of_a_parked_run_shows_its_team_the_reason(client: Client, run: Run) -> None:
    client.force_login(make_team_member(run.team))
    with refused("not-organizer", match="Ask an organizer"):
        recheck_run(run=run, by=run.received_by)
    page = _page(client, run)
    assert "Check stopped" in page
    assert REASON in page
    assert "ended 3 times" in page
    assert "Check again" not in page


def test_organizer_has_a_parked_run_checked_again(client: Client, run: Run) -> None:
    client.force_login(make_organizer(run.task.track))
    assert "Check again" in _page(client, run)
    address = reverse("run_recheck", args=[run.task.track.slug, run.task.slug, run.pk])
    assert client.post(address).status_code == 302
    run.refresh_from_db()
    assert (run.state, run.check_attempt_count, run.check_error) == (RunState.RECEIVED, 0, "")
    assert "Checking" in _page(client, run)
    with refused("run-not-parked", match="is received"):
        recheck_run(run=run, by=make_organizer(run.task.track))
