"""API operations of the report: agreement of other qrels with the people's."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import FileResponse, Http404
from ninja import Router, Schema
from pydantic import Field

from evaluation.platform.access.limits.rates import spend_rate
from evaluation.platform.access.limits.views import requester
from evaluation.platform.access.people import organizes
from evaluation.platform.web.api.bearer import TokenRequest, organizer, reader
from evaluation.platform.web.api.changes import change, read_form, texts
from evaluation.platform.web.api.operations import FILE_OF_ZIP, TASK, DoneOut
from evaluation.results.reports.actions import ask_report, find_report, freeze_third_pool
from evaluation.results.reports.choice import asked_choice
from evaluation.results.reports.forms import ThirdForm
from evaluation.results.reports.models import Report
from evaluation.results.reports.packing import ask_bundle, find_bundle
from evaluation.tracks.lookups import find_organized_task, find_task
from evaluation.tracks.work.recomputing.actions import ask_results
from evaluation.tracks.work.recomputing.models import ReportProgress
from trackside.errors import InputError

router = Router(tags=["Results"], auth=reader)


class ReportOut(Schema):
    """A computed report: facts, and sections of tables and figures."""

    computed_at: datetime
    code_version: str
    inputs_sha256: str = Field(description="SHA-256 of the inputs: runs, qrels, families and code.")
    report: dict[str, Any] = Field(alias="stored")


class BundleOut(Schema):
    """State of the zip of a report."""

    is_packed: bool = Field(description="Whether it can be downloaded; else a worker packs it.")


@router.get(f"{TASK}/report", response=ReportOut, url_name="report_detail")
def report_detail(request: TokenRequest, track: str, task: str) -> Report:
    """Return the latest report of a task: for organizers, after the release for all except assessors."""
    track_task = find_task(request, track, task)
    # Reports of a choice of runs and topics are made for readers of the page.
    reports = Report.objects.visible_to(request.user).whole().filter(task=track_task)
    report = reports.order_by("-computed_at").first()
    if report is None:
        raise Http404
    return report


@router.get(f"{TASK}/report/bundle", url_name="report_bundle", openapi_extra=FILE_OF_ZIP)
def report_bundle(request: TokenRequest, track: str, task: str) -> FileResponse:
    """Return the zip, with run files, from which ``trackside report`` recomputes it: for organizers only.

    503 while a worker packs it: send the request again later. 409 if none is kept: request it with POST.
    """
    target = find_bundle(report=_find_organized(request, track, task))
    return FileResponse(target, as_attachment=True, filename=f"{track}-{task}-report.zip")


@router.post(f"{TASK}/report/bundle", response=BundleOut, url_name="report_bundle", auth=organizer)
def report_pack(request: TokenRequest, track: str, task: str) -> BundleOut:
    """Request the zip: a worker packs it, and it is kept for an hour. For organizers only."""
    report = _find_organized(request, track, task)
    with transaction.atomic():  # a refused request does not count
        spend_rate(name="bundle", who=requester(request))
        packing = ask_bundle(report=report, by=request.user)
    return BundleOut(is_packed=packing.queued_at is None)


@change(router, f"{TASK}/report/recompute", DoneOut, auth=organizer, status=202)
def report_recompute(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Queue the computation of all values and of the report of a task that you organize."""
    track_task = find_organized_task(request, track, task)
    ask_results(task_id=track_task.pk)
    return {"message": f"{track_task}: the report is being computed."}


@change(router, f"{TASK}/report/third", DoneOut, reads=ThirdForm, auth=organizer, status=201)
def report_third(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Freeze the results that decide whether a judge favours a family as a pool for a third person.

    Its grades enter no qrels and no agreement, only the report's sentence once people's qrels are published.
    """
    report = _find_organized(request, track, task)
    form = read_form(ThirdForm, request)
    pool = freeze_third_pool(report=report, **form.cleaned_data, by=request.user)
    return {"message": f"Frozen: pool {pool.name}."}


CHOICE = texts(
    runs="A group of runs, as in the URL of the page: `best`, `type:manual`, `family:CLIP`.",
    topics="A group of topics, as in the URL of the page.",
    run="Ids of runs, repeated.",
    topic="Numbers of topics, repeated.",
)


@change(router, f"{TASK}/report/choice", ReportOut | None, reads=CHOICE, rate="report", auth=reader)
def report_ask(request: TokenRequest, track: str, task: str) -> Report | None:
    """Return the report of a choice of runs and topics; null while a worker computes it: then ask again."""
    whole = report_detail(request, track, task)
    read_form(CHOICE, request)
    choice = asked_choice(request.POST, whole.task, whole)
    report = find_report(task=whole.task, choice=choice)
    if isinstance(report, ReportProgress):
        raise InputError(f"The report cannot be computed: {report.problem}", code="report-impossible")
    if report is None:
        ask_report(task=whole.task, choice=choice, by=request.user)
    return report


def _find_organized(request: TokenRequest, track: str, task: str) -> Report:
    report = report_detail(request, track, task)
    if not organizes(request.user, report.task.track_id):
        raise Http404
    return report
