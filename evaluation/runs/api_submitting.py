"""API operations that submit and withdraw runs."""

from http import HTTPStatus
from typing import Literal
from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import reverse
from ninja import File, Form, Header, Schema, Status, UploadedFile
from pydantic import Field, Json

from evaluation.access.people import User
from evaluation.runs.api import RunOut, run_detail
from evaluation.runs.api import router as router
from evaluation.runs.checking import confirm_order
from evaluation.runs.editing import withdraw_run
from evaluation.runs.forms import teams_to_upload_for
from evaluation.runs.models import Run, RunType
from evaluation.runs.receiving import receive_run
from evaluation.teams.models import Team
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from evaluation.web.api.bearer import TokenRequest, submitter
from evaluation.web.api.operations import TASK, Text
from trackside.errors import InputError


class Submission(Schema):
    """The form fields beside the file."""

    team: Text = Field("", max_length=60, description="Name of the team; optional if you have only one.")
    description: Text = Field("", max_length=4000, description="What the system does, in a few sentences.")
    type: RunType | Literal[""] = Field("", description="Whether people influenced the results.")
    backbone: Text = Field("", max_length=120, description="The model that the system builds on.")
    suggested_family: Text = Field("", max_length=60, description="The run family that you suggest.")
    replies: Json[dict[str, Text]] = Field(
        "{}",
        validate_default=True,
        description='Replies to the task\'s questions, by name, as JSON: {"training": "yes"}.',
    )


@router.post(f"{TASK}/runs", response={201: RunOut}, url_name="run_list", auth=submitter)
def run_submit(
    request: TokenRequest,
    response: HttpResponse,
    track: str,
    task: str,
    file: File[UploadedFile],
    submission: Form[Submission],
    idempotency_key: Header[UUID | None] = None,
) -> Status[Run]:
    """Submit a run file, plain, .gz, .zst or .bz2, and queue its check. Location holds the URL of the run.

    If you repeat a request with the same Idempotency-Key, a UUID, the response is the run that the first
    request created.
    """
    found = find_task(request, track, task)
    run = receive_run(
        task=found,
        team=_team(found, submission.team, request.user),
        file=file,
        by=request.user,
        client_uuid=idempotency_key,
        **submission.model_dump(exclude={"team"}),
    )
    response["Location"] = reverse("api:run_detail", args=[track, task, run.pk])
    return Status(HTTPStatus.CREATED, run_detail(request, track, task, run.pk))


@router.post(f"{TASK}/runs/{{int:run}}/withdraw", response=RunOut, url_name="run_withdraw", auth=submitter)
def run_withdraw(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Withdraw an accepted run of your team, until the task closes and while no pool contains the run.

    Its file and verdict stay. Organizers withdraw runs on the site's pages, with a reason.
    """
    found = run_detail(request, track, task, run)
    if not found.is_opened:
        raise Http404
    withdraw_run(run=found, by=request.user)
    return run_detail(request, track, task, run)


@router.post(f"{TASK}/runs/{{int:run}}/confirm", response=RunOut, url_name="run_confirm", auth=submitter)
def run_confirm(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Confirm the order of a run of your team in the state asked: a higher score is better."""
    found = run_detail(request, track, task, run)
    if not found.is_opened:
        raise Http404
    confirm_order(run=found, by=request.user)
    return run_detail(request, track, task, run)


def _team(task: Task, name: str, by: User) -> Team:
    teams: dict[str, Team] = {team.name: team for team in teams_to_upload_for(task, by)}
    if not name and len(teams) == 1:
        return next(iter(teams.values()))
    if name in teams:
        return teams[name]
    choice = ", ".join(teams) or "none; join a team or ask its owner for an invitation"
    raise InputError(
        f"team: name the team of the run. Your teams in {task.track}: {choice}.", code="team-not-named"
    )
