import pytest
from django.test import Client

from evaluation.access.changes import to_read
from evaluation.audit.queries import changes_in
from evaluation.models import Phase, Run, RunState, Scoring
from evaluation.values.actions import score_runs
from tests.factories import make_organizer, make_qrels, make_run, make_task, make_team, make_team_member

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
    assert Scoring.objects.get(task=task).is_waiting  # the board and the report are computed anew
    assert "Withdrawn" in client.get(_address(run)).content.decode()


def test_withdrawal_of_a_rejected_upload_gives_the_reason(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    team = make_team(task.track)
    run = make_run(task, team, state=RunState.REJECTED)
    client.force_login(make_team_member(team))
    page = client.post(_address(run, "withdraw/"), follow=True)
    run.refresh_from_db()
    assert run.state == RunState.REJECTED
    assert list(page.context["messages"])


def test_organizer_withdraws_after_the_close_with_a_reason_and_the_board_shows_it(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=2)
    run, other = make_run(task, tag="kestrel-1"), make_run(task, tag="nordlys-1")
    make_qrels(task)
    score_runs(task=task)
    client.force_login(run.received_by)
    assert "withdraw/" not in client.get(_address(run)).content.decode()
    client.post(_address(run, "withdraw/"), {"reason": "Changed our mind."})
    organizer = make_organizer(task.track, name="O. Ortega")
    client.force_login(organizer)
    assert 'name="reason" required' in client.get(_address(run)).content.decode()
    client.post(_address(run, "withdraw/"))
    run.refresh_from_db()
    assert run.state == RunState.ACCEPTED
    client.post(_address(run, "withdraw/"), {"reason": "Trained on <b>the topics</b>."})
    page = client.get(_address(run)).content.decode()
    assert "O. Ortega withdrew it" in page
    assert "Trained on &lt;b&gt;the topics&lt;/b&gt;." in page
    board = Client().get(f"/tracks/{task.track.slug}/tasks/{task.slug}/leaderboard/")
    assert [row.run for row in board.context["board"].rows] == [other]
    assert [each.tag for each in board.context["board"].withdrawn] == ["kestrel-1"]
    assert "Trained on &lt;b&gt;the topics&lt;/b&gt;." in board.content.decode()
    change = to_read(changes_in(task.track, model="evaluation.run"))[0]
    assert (change.person, change.name, change.verb) == ("O. Ortega", "kestrel-1", "changed")
    assert ("state", "accepted", "withdrawn") in change.fields
    assert ("withdrawal_reason", "", "Trained on <b>the topics</b>.") in change.fields
