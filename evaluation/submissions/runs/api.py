"""API operations that list runs, their states, verdicts and files."""

from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from ninja import Query, Router, Schema
from pydantic import Field

from evaluation.platform.web.api.bearer import TokenRequest, reader
from evaluation.platform.web.api.operations import FILE_OF_BYTES, TASK, Page, Window, page_of
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.runs.notes import RunNote
from evaluation.submissions.runs.pages import public_name
from evaluation.submissions.runs.pages import run_file as run_file_view
from evaluation.tracks.lookups import find_task
from trackside.checks import FaultCode, Severity
from trackside.errors import InputError


class ExampleOut(Schema):
    """A line that shows a fault, the faulty part between ``before`` and ``after``."""

    line: int | None
    before: str
    fault: str
    after: str
    hint: str


class FaultOut(Schema):
    """All faults of one kind in a file, and how to fix them."""

    code: FaultCode
    count: int
    first_line: int | None
    first_topic: str | None
    topic_count: int | None
    note: str
    severity: Severity
    title: str
    unit: str
    counted: str
    found: str
    first: str
    cure: str
    examples: list[ExampleOut]


class SummaryOut(Schema):
    """Summary of the file."""

    tag: str
    line_count: int
    topic_count: int
    expected_topic_count: int
    docno_count: int
    known_count: int | None
    lowest_score: float | None
    highest_score: float | None
    is_descending: bool
    q0_count: int
    packing: str | None
    byte_count: int
    results: list[tuple[str, int]]
    least: int | None
    median: int | None
    most: int | None


class VerdictOut(Schema):
    """Whether a run file is accepted, and all findings."""

    is_accepted: bool
    faults: list[FaultOut]
    warnings: list[FaultOut]
    summary: SummaryOut


router = Router(tags=["Runs"], auth=reader)


class UploadOut(Schema):
    """The uploaded file, and the fields submitted with it."""

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
    team: str = Field(alias="team.name")
    state: RunState
    is_late: bool
    has_exception: bool = Field(description="Late by an exception that the organizers granted the team.")
    description: str
    type: str
    backbone: str
    replaces: int | None = Field(alias="replaces_id")
    file: str | None = Field(description="Name of the file; null if you may not download it.")
    upload: UploadOut | None

    @staticmethod
    def resolve_has_exception(run: Run) -> bool:
        """Whether the run came after the grace period, by an exception."""
        return run.late_exception_id is not None

    @staticmethod
    def resolve_file(run: Run) -> str | None:
        """Return the uploaded name to its owners, a name made of the tag to others."""
        return run.file_name if run.is_opened else public_name(run) if run.has_file else None

    @staticmethod
    def resolve_upload(run: Run) -> dict[str, Any] | None:
        """Return the upload to people who may open it, null to others."""
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
    """Filter of runs."""

    state: RunState | None = Field(None, description="Only runs in this state.")


def find_runs(request: TokenRequest, track: str, task: str) -> Any:
    """Return the runs of the task that the person may see, with what ``RunOut`` shows."""
    runs = Run.objects.visible_to(request.user).with_opened_to(request.user)
    return runs.filter(task=find_task(request, track, task)).select_related("team", "upload")


@router.get(f"{TASK}/runs", response=Page[RunOut], url_name="run_list")
def run_list(
    request: TokenRequest, response: HttpResponse, track: str, task: str, wanted: Query[RunFilter]
) -> dict[str, Any]:
    """List runs: a team's own, all for organizers, accepted ones for everybody after the release."""
    runs = find_runs(request, track, task)
    if wanted.state:
        runs = runs.filter(state=wanted.state)
    return page_of(runs, wanted, request, response, by=["pk"])


@router.get(f"{TASK}/runs/{{int:run}}", response=RunOut, url_name="run_detail")
def run_detail(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Return one run and its state."""
    task_run: Run = get_object_or_404(find_runs(request, track, task), pk=run)
    return task_run


def find_opened_run(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Return a run of the person's team or of a task that they organize, or raise Http404."""
    task_run = run_detail(request, track, task, run)
    if not task_run.is_opened:
        raise Http404
    return task_run


@router.get(f"{TASK}/runs/{{int:run}}/verdict", response=VerdictOut, url_name="run_verdict")
def run_verdict(request: TokenRequest, track: str, task: str, run: int) -> dict[str, Any]:
    """Return the verdict as ``trackside check --format json`` prints it; 409 until there is one."""
    task_run = find_opened_run(request, track, task, run)
    if task_run.verdict is None:
        if task_run.state == RunState.PARKED:
            raise InputError(
                f"The check of run {task_run.pk} ended without a verdict. {task_run.check_error}",
                code="verdict-pending",
                status=409,
            )
        raise InputError(
            f"Run {task_run.pk} is being checked. Ask again in a second.", code="verdict-pending", status=409
        )
    verdict: dict[str, Any] = task_run.verdict.content
    return verdict


class NoteOut(Schema):
    """A note of the organizers to the team."""

    text: str
    written_at: datetime


@router.get(f"{TASK}/runs/{{int:run}}/notes", response=list[NoteOut], url_name="run_notes")
def run_notes(request: TokenRequest, track: str, task: str, run: int) -> Any:
    """List the organizers' notes on a run of yours, oldest first."""
    task_run = find_opened_run(request, track, task, run)
    return RunNote.objects.visible_to(request.user).filter(run=task_run)


@router.get(f"{TASK}/runs/{{int:run}}/file", url_name="run_file", openapi_extra=FILE_OF_BYTES)
def run_file(request: TokenRequest, track: str, task: str, run: int) -> HttpResponseBase:
    """Return the uploaded file, byte for byte. Its ETag is its SHA-256."""
    task_run = run_detail(request, track, task, run)
    tag = f'"{task_run.upload_id}"'
    if task_run.is_opened and (unchanged := get_conditional_response(request, etag=tag)):
        unchanged["ETag"] = tag
        return unchanged
    return run_file_view(request, track, task, run)
