"""API operations on what workers do to a whole pool or task, such as the freezing of a pool."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from pydantic import Field

from evaluation.platform.web.api.bearer import TokenRequest, organizer
from evaluation.platform.web.api.operations import TASK, listed
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.work.operations.models import Operation

router = Router(tags=["Long work"], auth=organizer)


class OperationOut(Schema):
    """What a worker does to a pool or task. It is `waiting`, `running` or `parked`, or has ended.

    Ended it is `done`, `refused` (`message` says how to fix it) or `failed`.
    """

    id: int
    kind: str
    title: str
    about: str
    state: str
    message: str
    findings: dict[str, Any] | None = Field(description="Of a preview of a pool: what would be drawn.")
    requested_at: datetime
    ended_at: datetime | None
    page: str = Field(
        alias="address", description="Path of the page with its result, once it is done; else empty."
    )


@listed(router, f"{TASK}/operations", OperationOut, by=["-pk"])
def operation_list(request: TokenRequest, track: str, task: str) -> QuerySet[Operation]:
    """List the operations on a task that you organize, the latest first."""
    operations = Operation.objects.filter(task=find_organized_task(request, track, task))
    return operations.select_related("task__track")


@router.get(f"{TASK}/operations/{{int:operation}}", response=OperationOut, url_name="operation_detail")
def operation_detail(request: TokenRequest, track: str, task: str, operation: int) -> Operation:
    """Return one operation; ask again until it has ended."""
    operations = Operation.objects.filter(task=find_organized_task(request, track, task))
    return get_object_or_404(operations.select_related("task__track"), pk=operation)
