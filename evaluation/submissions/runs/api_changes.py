"""API operations that submit, describe, withdraw, check, note and set up runs, and grant later closes."""

from datetime import datetime
from http import HTTPStatus
from typing import Literal
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import File, Form, Header, Router, Schema, Status, UploadedFile
from pydantic import AwareDatetime, Field, Json

from evaluation.platform.access.limits.rates import spend_rate
from evaluation.platform.access.people import User
from evaluation.platform.web.api.bearer import TokenRequest, member, organizer, submitter
from evaluation.platform.web.api.changes import change, read_form, texts
from evaluation.platform.web.api.operations import TASK, DoneOut, Text, listed
from evaluation.submissions.runs.api import NoteOut, RunOut, find_opened_run, find_runs, run_detail
from evaluation.submissions.runs.api import router as router
from evaluation.submissions.runs.checking import confirm_order, recheck_run
from evaluation.submissions.runs.editing import edit_run, withdraw_run
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.forms import (
    RunDescriptionForm,
    RunSettingsForm,
    description_of,
    teams_to_upload_for,
)
from evaluation.submissions.runs.granting import grant_exception, withdraw_exception
from evaluation.submissions.runs.late_exceptions import REASON_MAX, LateException
from evaluation.submissions.runs.models import Run, RunType
from evaluation.submissions.runs.notes import RunNote, write_note
from evaluation.submissions.runs.receiving import receive_run
from evaluation.submissions.runs.submission import remove_question
from evaluation.submissions.teams.lookups import find_named_team
from evaluation.submissions.teams.models import Team
from evaluation.tracks.lookups import find_organized_task, find_task
from evaluation.tracks.models import Task
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
    track_task = find_task(request, track, task)
    run = receive_run(
        task=track_task,
        team=_team(track_task, submission.team, request.user),
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

    Its file and verdict stay. Organizers withdraw runs with a reason, by an operation of their own.
    """
    task_run = find_opened_run(request, track, task, run)
    withdraw_run(run=task_run, by=request.user)
    return run_detail(request, track, task, run)


@change(router, f"{TASK}/runs/{{int:run}}/edit", RunOut, reads=RunDescriptionForm, rate="change", auth=member)
def run_edit(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Change description and kind of a run of your team until the task closes.

    The field `reply_training` has the reply to the question `training`.
    """
    task_run = find_opened_run(request, track, task, run)
    form = read_form(
        RunDescriptionForm,
        request,
        task=task_run.task,
        needs_replies=not task_run.team.is_baseline,
        initial=description_of(task_run),
    )
    edit_run(run=task_run, by=request.user, **form.described)
    return run_detail(request, track, task, run)


@change(router, f"{TASK}/runs/{{int:run}}/confirm", RunOut, auth=submitter)
def run_confirm(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Confirm the order of a run of your team in the state asked: a higher score is better."""
    confirm_order(run=find_opened_run(request, track, task, run), by=request.user)
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


RUN = f"{TASK}/runs/{{int:run}}"
NOTE = texts(text="1 to 4,000 characters; each member of the team gets them by mail.")
REASON = texts(reason="1 to 500 characters.")
NAME = texts(name="The name.")


def _run(request: TokenRequest, track: str, task: str, run: int) -> Run:
    find_organized_task(request, track, task)
    return run_detail(request, track, task, run)


@change(router, f"{RUN}/notes", NoteOut, reads=NOTE, name="run_notes", rate="announcement", status=201)
def run_note(request: TokenRequest, track: str, task: str, run: int) -> RunNote:
    """Write a note to the team of a run."""
    task_run = _run(request, track, task, run)
    return write_note(run=task_run, by=request.user, **read_form(NOTE, request).cleaned_data)


@change(router, f"{RUN}/withdraw-on-record", RunOut, reads=REASON)
def run_withdraw_on_record(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Withdraw an accepted run, with the reason, which leaderboards show; its file and verdict stay."""
    task_run = _run(request, track, task, run)
    withdraw_run(run=task_run, by=request.user, **read_form(REASON, request).cleaned_data)
    return run_detail(request, track, task, run)


@change(router, f"{RUN}/recheck", RunOut, status=202)
def run_recheck(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Queue the check of a parked run again."""
    recheck_run(run=_run(request, track, task, run), by=request.user)
    return run_detail(request, track, task, run)


@change(router, f"{RUN}/settings", RunOut, reads=RunSettingsForm)
def run_settings(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Set families, type, depth and priority of an accepted run. Repeat `families`, by name."""
    accepted = find_runs(request, track, task).filter(pk=_run(request, track, task, run).pk).accepted()
    read_form(RunSettingsForm, request, instance=get_object_or_404(accepted)).save()
    return run_detail(request, track, task, run)


@change(router, f"{TASK}/families/remove", DoneOut, reads=NAME)
def family_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove a family from the task; the track's file adds families."""
    track_task = find_organized_task(request, track, task)
    family = get_object_or_404(Family, task=track_task, **read_form(NAME, request).cleaned_data)
    family.delete()
    return {"message": f"The family {family} is removed."}


@change(router, f"{TASK}/questions/remove", DoneOut, reads=NAME)
def question_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove a question that no run has replied to; the track's file adds questions."""
    track_task = find_organized_task(request, track, task)
    question = get_object_or_404(track_task.submission_questions, **read_form(NAME, request).cleaned_data)
    remove_question(question=question)
    return {"message": f"The question {question.name} is removed."}


late_runs = Router(tags=["Late runs"], auth=organizer)
EXCEPTIONS = f"{TASK}/late-exceptions"


class LateExceptionOut(Schema):
    """A later close of the task for one team."""

    id: int
    team: str = Field(alias="team.name")
    closes_at: datetime
    reason: str
    granted_at: datetime
    withdrawn_at: datetime | None


class LateExceptionIn(Schema):
    """The form fields of a grant."""

    team: Text = Field(max_length=60, description="Name of the team.")
    closes_at: AwareDatetime = Field(
        description="Later than the task's close and its grace, and not later than the opening of judging."
    )
    reason: Text = Field(max_length=REASON_MAX, description="Organizers and the team read it.")


@listed(late_runs, EXCEPTIONS, LateExceptionOut, by=["-pk"])
def late_exception_list(request: TokenRequest, track: str, task: str) -> QuerySet[LateException]:
    """List the late-run exceptions of a task that you organize, the latest first, withdrawn ones included."""
    return _exceptions(find_organized_task(request, track, task))


@late_runs.post(EXCEPTIONS, response={201: LateExceptionOut}, url_name="late_exception_list")
def late_exception_grant(
    request: TokenRequest, track: str, task: str, granted: Form[LateExceptionIn]
) -> Status[LateException]:
    """Let a team upload runs until a later moment. Its members get a mail; its runs are marked as late.

    Possible until judging opens or the first pool is frozen, and once at a time for a team.
    """
    track_task = find_organized_task(request, track, task)
    spend_rate(name="announcement", who=f"user:{request.user.pk}")
    exception = grant_exception(
        task=track_task,
        team=find_named_team(track_task.track, granted.team),
        closes_at=granted.closes_at,
        reason=granted.reason,
        by=request.user,
    )
    return Status(HTTPStatus.CREATED, exception)


@late_runs.post(
    f"{EXCEPTIONS}/{{int:exception}}/withdraw", response=LateExceptionOut, url_name="late_exception_withdraw"
)
def late_exception_withdraw(request: TokenRequest, track: str, task: str, exception: int) -> LateException:
    """End an exception immediately; runs uploaded under it stay."""
    task_exception = get_object_or_404(_exceptions(find_organized_task(request, track, task)), pk=exception)
    return withdraw_exception(exception=task_exception, by=request.user)


def _exceptions(task: Task) -> QuerySet[LateException]:
    return LateException.objects.filter(task=task).select_related("team")
