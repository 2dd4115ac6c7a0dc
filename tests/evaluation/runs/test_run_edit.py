import pytest
from django.test import Client

from evaluation.models import Phase, Run, SubmissionQuestion
from tests.factories import make_run, make_task

pytestmark = pytest.mark.django_db


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


def test_edit_page_after_the_deadline_offers_no_form(client: Client) -> None:
    run = make_run(make_task(phase=Phase.CLOSED))
    client.force_login(run.received_by)
    assert "<textarea" not in client.get(_address(run)).content.decode()
    refused = client.post(_address(run), {"description": "Too late."})
    assert refused.status_code == 200
    run.refresh_from_db()
    assert run.description == ""
