"""API operations by which organizers grant teams a later close."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Form, Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from evaluation.access.limits.rates import spend_rate
from evaluation.runs.granting import grant_exception, withdraw_exception
from evaluation.runs.late_exceptions import REASON_MAX, LateException
from evaluation.teams.lookups import find_named_team
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task
from evaluation.web.api.bearer import TokenRequest, organizer
from evaluation.web.api.operations import TASK, Page, Text, Window, page_of

router = Router(tags=["Late runs"], auth=organizer)
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


@router.get(EXCEPTIONS, response=Page[LateExceptionOut], url_name="late_exception_list")
def late_exception_list(
    request: TokenRequest, response: HttpResponse, track: str, task: str, window: Query[Window]
) -> dict[str, Any]:
    """List the late-run exceptions of a task that you organize, the latest first, withdrawn ones included."""
    exceptions = _exceptions(find_organized_task(request, track, task))
    return page_of(exceptions, window, request, response, by=["-pk"])


@router.post(EXCEPTIONS, response={201: LateExceptionOut}, url_name="late_exception_list")
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


@router.post(
    f"{EXCEPTIONS}/{{int:exception}}/withdraw", response=LateExceptionOut, url_name="late_exception_withdraw"
)
def late_exception_withdraw(request: TokenRequest, track: str, task: str, exception: int) -> LateException:
    """End an exception immediately; runs uploaded under it stay."""
    task_exception = get_object_or_404(_exceptions(find_organized_task(request, track, task)), pk=exception)
    return withdraw_exception(exception=task_exception, by=request.user)


def _exceptions(task: Task) -> QuerySet[LateException]:
    return LateException.objects.filter(task=task).select_related("team")
