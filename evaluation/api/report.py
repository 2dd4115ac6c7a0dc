"""The report: how near other qrels come to the people's."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from django.http import FileResponse, Http404
from ninja import Router, Schema
from pydantic import Field

from evaluation.actions.bundle_report import bundle_report
from evaluation.api.files import FILE_OF_ZIP
from evaluation.api.signing_in import TokenRequest, reader
from evaluation.api.tracks import TASK
from evaluation.models import Report, Task
from evaluation.views.finding import find_task

router = Router(tags=["Results"], auth=reader)


class ReportOut(Schema):
    """A computed report: facts, and sections of tables and figures."""

    computed_at: datetime
    code_version: str
    inputs_sha256: str = Field(description="Of the runs, qrels, families and code that it was computed from.")
    report: dict[str, Any]

    @staticmethod
    def resolve_report(report: Report) -> Any:
        """All of its sections."""
        return report.body


@router.get(f"{TASK}/report", response=ReportOut, url_name="report_detail")
def report_detail(request: TokenRequest, track: str, task: str) -> Report:
    """The latest report of a task: for organizers, and for all who may from the release on."""
    task_found = find_task(request, track, task)
    # Those of some runs and topics are made for a reader of the page.
    reports = Report.objects.visible_to(request.user).whole().filter(task=task_found)
    found = reports.order_by("-computed_at").first()
    if found is None:
        raise Http404
    return found


@router.get(f"{TASK}/report/bundle", url_name="report_bundle", openapi_extra=FILE_OF_ZIP)
def report_bundle(request: TokenRequest, track: str, task: str) -> FileResponse:
    """The zip that ``trackside report`` computes again, run files and all: for organizers alone."""
    report = report_detail(request, track, task)
    if not Task.objects.organized_by(request.user).contains(report.task):
        raise Http404
    target = io.BytesIO()
    bundle_report(report=report, target=target)
    target.seek(0)
    return FileResponse(target, as_attachment=True, filename=f"{track}-{task}-report.zip")
