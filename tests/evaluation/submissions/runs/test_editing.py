"""Withdrawing a run and editing its description: who may, and until when."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import InternalError, ProgrammingError, transaction
from django.test import Client
from django.utils import timezone

from evaluation.models import Phase, PoolRun, Ranking, Run, RunState, Scoring, SubmissionQuestion, Task
from evaluation.organizing.audit.queries import changes_in
from evaluation.platform.access.changes import to_read
from evaluation.results.values.actions import score_runs
from evaluation.submissions.runs.editing import edit_run, may_withdraw, withdraw_run
from tests.factories import (
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_withdraw_run_takes_the_run_out_and_keeps_all_of_it() -> None:
    run = make_run()
    withdrawn = withdraw_run(run=run, by=run.received_by)
    withdrawn.refresh_from_db()
    assert (withdrawn.state, withdrawn.tag) == (RunState.WITHDRAWN, run.tag)
    assert (withdrawn.withdrawn_by, withdrawn.withdrawal_reason) == (run.received_by, "")
    assert withdrawn.withdrawn_at
    assert Ranking.objects.filter(run=run).exists()
    assert not Run.objects.withdrawn_on_record().exists()


def test_withdraw_run_is_for_its_team_and_the_organizers() -> None:
    run = make_run()
    with refused("not-of-team"):
        withdraw_run(run=run, by=make_team_member(make_team(run.task.track)))
    with refused("not-of-team"):
        withdraw_run(run=run, by=make_organizer(make_task().track), reason="Not theirs.")
    organizer = make_organizer(run.task.track)
    withdrawn = withdraw_run(run=run, by=organizer, reason=" Trained on the topics. ")
    withdrawn.refresh_from_db()
    assert (withdrawn.withdrawn_by, withdrawn.withdrawal_reason) == (organizer, "Trained on the topics.")
    assert list(Run.objects.withdrawn_on_record()) == [withdrawn]


@pytest.mark.parametrize("state", [state for state in RunState if state != RunState.ACCEPTED])
def test_withdraw_run_refuses_runs_that_do_not_count(state: RunState) -> None:
    run = make_run(state=state)
    with refused("run-not-accepted", match="Only an accepted run"):
        withdraw_run(run=run, by=run.received_by)
    assert not may_withdraw(run.received_by, run)
    assert not may_withdraw(make_organizer(run.task.track), run)


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.JUDGING, Phase.RELEASED])
def test_team_withdraws_nothing_after_the_close(phase: Phase) -> None:
    run = make_run(make_task(phase=phase))
    assert not may_withdraw(run.received_by, run)
    with refused("run-settled", match="Ask the organizers"):
        withdraw_run(run=run, by=run.received_by, reason="Changed our mind.")
    run.refresh_from_db()
    assert run.state == RunState.ACCEPTED


def test_team_withdraws_nothing_in_the_grace_period() -> None:
    task = make_task(judging_at=None, releases_at=None, grace=timedelta(hours=1))
    run = make_run(task)
    assert may_withdraw(run.received_by, run)
    assert not may_withdraw(make_team_member(make_team(task.track)), run)
    Task.objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(seconds=1))
    with refused("run-settled"):
        withdraw_run(run=run, by=run.received_by)


def test_team_withdraws_no_pooled_run_and_the_pool_keeps_its_places() -> None:
    run = make_run()
    pool = make_pool(run.task, runs=[run])
    with refused("run-settled"):
        withdraw_run(run=run, by=run.received_by)
    withdraw_run(run=run, by=make_organizer(run.task.track), reason="A copy of another team's run.")
    assert (PoolRun.objects.get().run, pool.items.count()) == (run, 2)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_organizers_give_a_reason_of_some_length(reason: str) -> None:
    run = make_run(make_task(phase=Phase.RELEASED))
    assert may_withdraw(make_organizer(run.task.track), run)
    with refused("withdrawal-reason-missing", match="at most 500 characters"):
        withdraw_run(run=run, by=make_organizer(run.task.track), reason=reason)
    withdraw_run(run=run, by=make_organizer(run.task.track), reason="x" * 500)
    assert Run.objects.get(pk=run.pk).withdrawal_reason == "x" * 500


def test_database_wants_the_reason_after_the_close_and_brings_no_run_back() -> None:
    run = make_run(make_task(phase=Phase.RELEASED))
    rows = Run.objects.filter(pk=run.pk)
    with pytest.raises(ProgrammingError, match="its withdrawal needs a reason"), transaction.atomic():
        rows.update(state=RunState.WITHDRAWN)
    withdraw_run(run=run, by=make_organizer(run.task.track), reason="Trained on the topics.")
    with pytest.raises((ProgrammingError, InternalError)), transaction.atomic():
        rows.update(state=RunState.ACCEPTED, withdrawn_at=None, withdrawn_by=None, withdrawal_reason="")
    with pytest.raises((ProgrammingError, InternalError)), transaction.atomic():
        rows.update(withdrawal_reason="Something else.")


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
    refused_again = client.post(_address(run, "withdraw/"), follow=True)
    assert list(refused_again.context["messages"]), "it says why nothing is done"


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


SAID: dict[str, Any] = {"description": "New.", "type": "manual", "backbone": "", "suggested_family": "dense"}


def test_edit_run_changes_the_description_and_nothing_else() -> None:
    run = make_run(description="Old.", backbone="CLIP")
    SubmissionQuestion.objects.create(task=run.task, name="training", text="Trained on?", is_required=True)
    with refused("reply-missing"):
        edit_run(run=run, by=run.received_by, replies={}, **SAID)
    edit_run(run=run, by=run.received_by, replies={"training": "AToMiC"}, **SAID)
    found = Run.objects.get(pk=run.pk)
    said = (found.description, found.type, found.backbone, found.suggested_family)
    assert said == ("New.", "manual", "", "dense")
    assert found.replies == {"training": "AToMiC"}
    assert (found.state, found.upload_id, found.verdict) == (run.state, run.upload_id, run.verdict)


def test_edit_run_is_for_its_team_and_the_organizers() -> None:
    run = make_run()
    with refused("not-of-team"):
        edit_run(run=run, by=make_team_member(make_team(run.task.track)), replies={}, **SAID)
    assert edit_run(run=run, by=make_organizer(run.task.track), replies={}, **SAID).description == "New."


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.JUDGING, Phase.RELEASED])
def test_edit_run_ends_with_the_deadline(client: Client, phase: Phase) -> None:
    run = make_run(make_task(phase=phase))
    with refused("run-not-editable", match="Ask the organizers"):
        edit_run(run=run, by=run.received_by, replies={}, **SAID)
    client.force_login(run.received_by)
    assert "<textarea" not in client.get(_address(run, "edit/")).content.decode()
    assert client.post(_address(run, "edit/"), SAID).status_code == 200
    run.refresh_from_db()
    assert run.description == ""


def test_edit_run_is_open_in_the_grace_period_and_before_the_check() -> None:
    task = make_task(judging_at=None, releases_at=None, grace=timedelta(hours=1))
    run = make_run(task, state=RunState.RECEIVED)
    Task.objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(minutes=59))
    assert edit_run(run=run, by=run.received_by, replies={}, **SAID).description == "New."
    Task.objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(minutes=61))
    with refused("run-not-editable"):
        edit_run(run=run, by=run.received_by, replies={}, **SAID)


@pytest.mark.parametrize("state", [RunState.REJECTED, RunState.REPLACED, RunState.WITHDRAWN])
def test_edit_run_refuses_runs_that_do_not_count(state: RunState) -> None:
    run = make_run(state=state)
    with refused("run-not-editable"):
        edit_run(run=run, by=run.received_by, replies={}, **SAID)


def test_edit_page_shows_the_description_and_saves_what_is_sent(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    SubmissionQuestion.objects.create(task=task, name="training", text="Trained on?", kind="yes-no")
    run = make_run(task, description="A dense one.", replies={"training": "no"})
    client.force_login(run.received_by)
    form = client.get(_address(run, "edit/")).context["form"]
    assert (form["description"].value(), form["reply_training"].value()) == ("A dense one.", "no")
    answer = client.post(_address(run, "edit/"), {"description": "Another.", "reply_training": "yes"})
    assert answer.headers["Location"] == _address(run)
    run.refresh_from_db()
    assert (run.description, run.replies) == ("Another.", {"training": "yes"})
