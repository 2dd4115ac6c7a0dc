import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from evaluation.models import Phase, Run, RunState, SubmissionQuestion, Task, User
from evaluation.runs.forms import RunUploadForm, teams_to_upload_for
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db

RUN_FILE = b"T1 Q0 D1 1 1.0 kestrel-1\r\n"


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/runs/upload/"


def _form(member: User) -> dict[str, object]:
    return {
        "team": member.memberships.get().team_id,
        "file": SimpleUploadedFile("kestrel-1.run", RUN_FILE),
        "description": "Dense.",
    }


def test_upload_keeps_the_bytes_and_goes_to_the_run_s_page(client: Client) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=1, document_count=1)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    answer = client.post(_address(task), _form(member))
    run = Run.objects.get()
    assert answer.headers["Location"] == _address(task).replace("upload", str(run.pk))
    assert (run.state, run.received_by, run.description) == (RunState.RECEIVED, member, "Dense.")
    assert (run.upload.read(), run.file_name) == (RUN_FILE, "kestrel-1.run")


def test_upload_stores_the_description_of_the_run(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    SubmissionQuestion.objects.create(task=task, name="training", text="Trained on?", is_required=True)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    refused = client.post(_address(task), _form(member))
    assert "reply_training" in refused.context["form"].errors
    said = {"type": "automatic", "backbone": "CLIP", "suggested_family": "dense", "reply_training": "AToMiC"}
    client.post(_address(task), _form(member) | said)
    run = Run.objects.get()
    assert (run.type, run.backbone, run.suggested_family) == ("automatic", "CLIP", "dense")
    assert run.replies == {"training": "AToMiC"}


def test_organizer_without_a_team_is_not_told_of_own_uploads(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    page = client.get(_address(task)).content.decode()
    assert "Your uploads" not in page
    assert "all uploads that you may see" in page


def test_upload_that_replaces_a_run_starts_with_its_description(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    team = make_team(task.track)
    old = make_run(task, team, tag="kestrel-1", description="A dense one.")
    client.force_login(make_team_member(team))
    page = client.get(_address(task), {"replaces": old.pk}).content.decode()
    assert 'id="upload"' in page
    assert "The task takes no runs now" not in page
    assert "A dense one." in page
    assert "kestrel-1" in page
    foreign = make_run(task, description="Another team's.")
    assert "Another team" not in client.get(_address(task), {"replaces": foreign.pk}).content.decode()


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.JUDGING, Phase.RELEASED])
def test_upload_out_of_time_is_refused_on_the_page(client: Client, phase: Phase) -> None:
    task = make_task(phase=phase)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    page = client.get(_address(task)).content.decode()
    assert 'id="upload"' not in page
    assert "The task takes no runs now" in page
    answer = client.post(_address(task), _form(member))
    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors()
    assert not Run.objects.exists()


def test_upload_page_sends_people_without_team_to_make_one(client: Client) -> None:
    client.force_login(make_user())
    page = client.get(_address(make_task(phase=Phase.OPEN))).content.decode()
    assert "You belong to no team" in page
    assert '<button class="first">' not in page


def test_form_offers_members_their_teams_of_the_track_and_organizers_its_baselines() -> None:
    task, elsewhere = make_task(), make_track()
    own, other = make_team(task.track), make_team(task.track)
    baseline = make_team(task.track, is_baseline=True)
    make_team(elsewhere)
    make_team(elsewhere, is_baseline=True)
    member = make_team_member(own)
    for person, offered in (
        (member, [own]),
        (make_organizer(task.track), [baseline]),
        (make_assessor(task.track), []),
        (make_organizer(elsewhere), []),
    ):
        assert list(teams_to_upload_for(task, person)) == offered
    assert "team" in RunUploadForm({"team": other.pk}, task=task, by=member).errors
