"""Submitting a run, and withdrawing one: what else the router of runs takes."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from ninja import File, Form, Header, Schema, Status, UploadedFile
from ninja.decorators import decorate_view
from pydantic import Field, Json, StringConstraints

from evaluation.actions.receive_run import receive_run
from evaluation.actions.withdraw_run import withdraw_run
from evaluation.api.problems import problem
from evaluation.api.runs import RunOut, router, run_detail
from evaluation.api.signing_in import TokenRequest, submitter
from evaluation.api.tracks import TASK
from evaluation.core.errors import InputError
from evaluation.forms.run_upload import teams_to_upload_for
from evaluation.models import Run, RunType, Task, Team, User
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

BESIDE_THE_FILE = 2**20  # bytes that the other fields and the form's own lines may have

Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]  # PostgreSQL keeps no NUL


class TeamNotNamed(InputError):
    """It does not follow for which team the run is."""


class Submission(Schema):
    """What is told beside the file."""

    team: Text = Field("", max_length=60, description="Its name; may be left out by whoever has one team.")
    description: Text = Field("", max_length=4000, description="What the system does, in a few sentences.")
    type: RunType | Literal[""] = Field("", description="Whether people had a hand in the results.")
    backbone: Text = Field("", max_length=120, description="The model that the system rests on.")
    suggested_family: Text = Field("", max_length=60, description="What you would call its kind.")
    replies: Json[dict[str, Text]] = Field(
        {}, description='To the task\'s questions, by name, as a JSON object: {"training": "yes"}.'
    )


def _refuse_large(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer before a body that is too large is read."""

    @wraps(view)
    def refusing(request: HttpRequest, **values: Any) -> HttpResponseBase:
        size = int(request.META.get("CONTENT_LENGTH") or 0)
        if size > settings.MAX_UPLOAD_BYTES + BESIDE_THE_FILE:
            return problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                detail=f"The request has {size:,} bytes; a run file may have {settings.MAX_UPLOAD_BYTES:,}. "
                "Pack it with gzip, or list fewer results a topic.",
                kind="urn:trackside:upload-too-large",
            )
        return view(request, **values)

    return refusing


@router.post(f"{TASK}/runs", response={201: RunOut}, url_name="run_list", auth=submitter)
@decorate_view(_refuse_large)
def run_submit(
    request: TokenRequest,
    response: HttpResponse,
    track: str,
    task: str,
    file: File[UploadedFile],
    told: Form[Submission],
    idempotency_key: Header[UUID | None] = None,
) -> Status[Run]:
    """Submit a run file, plain or packed with gzip. Its check begins at once; Location leads to the run.

    A request that is sent again with the same Idempotency-Key, a UUID, is answered with the run that the
    first one made.
    """
    found = find_task(request, track, task)
    run = receive_run(
        task=found,
        team=_team(found, told.team, request.user),
        file=file,
        by=request.user,
        client_uuid=idempotency_key,
        **told.model_dump(exclude={"team"}),
    )
    response["Location"] = reverse("api:run_detail", args=[track, task, run.pk])
    return Status(HTTPStatus.CREATED, run_detail(request, track, task, run.pk))


@router.post(f"{TASK}/runs/{{int:run}}/withdraw", response=RunOut, url_name="run_withdraw", auth=submitter)
def run_withdraw(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Let an accepted run of one's team count no longer. Its file and verdict stay."""
    found = run_detail(request, track, task, run)
    if not found.is_opened:
        raise Http404
    withdraw_run(run=found, by=request.user)
    return run_detail(request, track, task, run)


def _team(task: Task, name: str, by: User) -> Team:
    teams: dict[str, Team] = {team.name: team for team in teams_to_upload_for(task, by)}
    if not name and len(teams) == 1:
        return next(iter(teams.values()))
    if name in teams:
        return teams[name]
    choice = ", ".join(teams) or "none; join a team or ask its owner for an invitation"
    raise TeamNotNamed(f"team: name the team whose run it is. Yours in {task.track}: {choice}.")
