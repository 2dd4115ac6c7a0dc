from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from evaluation.models import Phase, Run, RunState, SubmissionQuestion, Task
from evaluation.runs.editing import edit_run
from tests.factories import make_organizer, make_run, make_task, make_team, make_team_member
from tests.refusals import refused

pytestmark = pytest.mark.django_db

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
    assert "<textarea" not in client.get(_address(run)).content.decode()
    assert client.post(_address(run), SAID).status_code == 200
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


def _address(run: Run) -> str:
    return f"/tracks/{run.task.track.slug}/tasks/{run.task.slug}/runs/{run.pk}/edit/"


def test_edit_page_shows_the_description_and_saves_what_is_sent(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    SubmissionQuestion.objects.create(task=task, name="training", text="Trained on?", kind="yes-no")
    run = make_run(task, description="A dense one.", replies={"training": "no"})
    client.force_login(run.received_by)
    form = client.get(_address(run)).context["form"]
    assert (form["description"].value(), form["reply_training"].value()) == ("A dense one.", "no")
    answer = client.post(_address(run), {"description": "Another.", "reply_training": "yes"})
    assert answer.headers["Location"] == _address(run).replace("edit/", "")
    run.refresh_from_db()
    assert (run.description, run.replies) == ("Another.", {"training": "yes"})
