import pytest
from django.test import Client

from evaluation.models import Phase, Run, RunState
from tests.factories import make_run, make_task, make_team, make_team_member

pytestmark = pytest.mark.django_db


def _address(run: Run, tail: str = "") -> str:
    return f"/tracks/{run.task.track.slug}/tasks/{run.task.slug}/runs/{run.pk}/{tail}"


def test_withdrawal_takes_the_run_out_and_goes_back_to_its_page(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    team = make_team(task.track)
    run = make_run(task, team)
    client.force_login(make_team_member(team))
    assert client.post(_address(run, "withdraw/")).headers["Location"] == _address(run)
    run.refresh_from_db()
    assert run.state == RunState.WITHDRAWN
    assert "Withdrawn" in client.get(_address(run)).content.decode()


def test_withdrawal_of_a_rejected_upload_says_why_not(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    team = make_team(task.track)
    run = make_run(task, team, state=RunState.REJECTED)
    client.force_login(make_team_member(team))
    page = client.post(_address(run, "withdraw/"), follow=True)
    run.refresh_from_db()
    assert run.state == RunState.REJECTED
    assert list(page.context["messages"])


def test_withdrawal_needs_a_post(client: Client) -> None:
    run = make_run()
    client.force_login(run.received_by)
    assert client.get(_address(run, "withdraw/")).status_code == 405
