"""Runs: what became of each, and the files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from ninja import Query, Router, Schema
from pydantic import Field

from evaluation.api.files import FILE_OF_BYTES
from evaluation.api.paging import Page, Window, page_of
from evaluation.api.problems import VerdictPending
from evaluation.api.signing_in import TokenRequest, reader
from evaluation.api.tracks import TASK
from evaluation.api.verdicts import VerdictOut
from evaluation.models import Run, RunState
from evaluation.views.finding import find_task
from evaluation.views.run_verdict import public_name
from evaluation.views.run_verdict import run_file as run_file_view

router = Router(tags=["Runs"], auth=reader)


class UploadOut(Schema):
    """The file as it came, and what was told with it."""

    file_name: str
    size: int = Field(description="Bytes.")
    sha256: str
    received_at: datetime
    checked_at: datetime | None
    replies: dict[str, str]


class RunOut(Schema):
    """A run. Its ``tag`` is empty until it is accepted; only its team and organizers get ``upload``."""

    id: int
    tag: str
    team: str
    state: RunState
    is_late: bool
    description: str
    type: str
    backbone: str
    replaces: int | None
    file: str | None = Field(description="What the file is called; null where you may not have it.")
    upload: UploadOut | None

    @staticmethod
    def resolve_team(run: Run) -> str:
        """Its name."""
        return run.team.name

    @staticmethod
    def resolve_replaces(run: Run) -> int | None:
        """The id of the team's earlier run of the same tag."""
        return run.replaces_id

    @staticmethod
    def resolve_file(run: Run) -> str | None:
        """The name that its owners gave it, to others the tag."""
        return run.file_name if run.is_opened else public_name(run) if run.has_file else None

    @staticmethod
    def resolve_upload(run: Run) -> dict[str, Any] | None:
        """For whoever may open it."""
        if not run.is_opened:
            return None
        return {
            "file_name": run.file_name,
            "size": run.upload.size,
            "sha256": run.upload_id,
            "received_at": run.received_at,
            "checked_at": run.checked_at,
            "replies": run.replies,
        }


class RunFilter(Window):
    """Which runs are wanted."""

    state: RunState | None = Field(None, description="Those in this state alone.")


def find_runs(request: TokenRequest, track: str, task: str) -> Any:
    """The runs of the task that the person may see, as ``RunOut`` shows them."""
    runs = Run.objects.visible_to(request.user).with_opened_to(request.user)
    return runs.filter(task=find_task(request, track, task)).select_related("team", "upload")


@router.get(f"{TASK}/runs", response=Page[RunOut], url_name="run_list")
def run_list(
    request: TokenRequest, response: HttpResponse, track: str, task: str, wanted: Query[RunFilter]
) -> dict[str, Any]:
    """A team's own runs; all of them for organizers; after the release the accepted ones for everybody."""
    runs = find_runs(request, track, task)
    if wanted.state:
        runs = runs.filter(state=wanted.state)
    return page_of(runs.order_by("pk"), wanted, request, response)


@router.get(f"{TASK}/runs/{{int:run}}", response=RunOut, url_name="run_detail")
def run_detail(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """What became of a run."""
    found: Run = get_object_or_404(find_runs(request, track, task), pk=run)
    return found


@router.get(f"{TASK}/runs/{{int:run}}/verdict", response=VerdictOut, url_name="run_verdict")
def run_verdict(request: TokenRequest, track: str, task: str, run: int) -> dict[str, Any]:
    """The verdict of the check, as ``trackside check --format json`` prints it; 409 until there is one."""
    found = run_detail(request, track, task, run)
    if not found.is_opened:
        raise Http404
    if found.verdict is None:
        raise VerdictPending(f"Run {found.pk} is being checked. Ask again in a second.")
    verdict: dict[str, Any] = found.verdict
    return verdict


@router.get(f"{TASK}/runs/{{int:run}}/file", url_name="run_file", openapi_extra=FILE_OF_BYTES)
def run_file(request: TokenRequest, track: str, task: str, run: int) -> HttpResponseBase:
    """The file as it came, byte for byte. Its ETag is its SHA-256."""
    found = run_detail(request, track, task, run)
    tag = f'"{found.upload_id}"'
    if found.is_opened and (unchanged := get_conditional_response(request, etag=tag)):
        unchanged["ETag"] = tag
        return unchanged
    return run_file_view(request, track, task, run)
