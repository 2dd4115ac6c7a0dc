"""Downloads of a report: tables, figures, the methods text, and the bundle of all."""

from http import HTTPStatus

from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from evaluation.platform.access.limits.rates import TooManyRequests, spend_rate
from evaluation.platform.access.limits.views import requester, too_many
from evaluation.platform.access.people import organizes
from evaluation.platform.access.requests import key_in
from evaluation.results.reports.models import Packing, Report
from evaluation.results.reports.packing import BundleBeingPacked, BundleNotPacked, ask_bundle, find_bundle
from evaluation.results.values.leaderboard import TYPES, as_file
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.figures.svg.charts import pdf_of, standalone
from trackside.reporting.findings import Findings
from trackside.reporting.views.first_page import first_page
from trackside.reporting.writers.files import latex_table, methods_text
from trackside.reporting.writers.stored import from_json
from trackside.reporting.writers.tables import WRITERS

FORMS = (("csv", "CSV"), ("json", "JSON"), ("tex", "LaTeX"))


@require_safe
def report_table(request: HttpRequest, track: str, task: str, table: str, form: str) -> HttpResponse:
    """Send one table as CSV, JSON or LaTeX: the rows of the measure and family in the URL, or all."""
    content = _findings(request, track, task)
    whole_table = next((candidate for candidate in content.tables() if candidate.name == table), None)
    if whole_table is None or form not in WRITERS:
        raise Http404
    part = whole_table.where(measure=request.GET.get("measure"), family=request.GET.get("family"))
    return as_file(WRITERS[form](part, content.facts.basis), TYPES[form], f"{track}-{task}-{table}.{form}")


@require_safe
def report_figure(request: HttpRequest, track: str, task: str, figure: str, form: str) -> HttpResponse:
    """Send one figure as a standalone SVG file, or as a PDF of one page."""
    content = _findings(request, track, task)
    svg = next((drawn.svg for drawn in content.figures() if drawn.name == figure), None)
    if svg is None:
        raise Http404
    name = f"{track}-{task}-{figure}.{form}"
    if form == "pdf":
        return as_file(pdf_of(svg), "application/pdf", name)
    return as_file(standalone(svg), "image/svg+xml", name)


@require_safe
def report_latex(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Send the table of the first page in LaTeX."""
    report = find_current_report(request, track, task)
    page = first_page(report.summary)
    return as_file(latex_table(page), TYPES["tex"], f"{track}-{task}-report.tex")


@require_safe
def report_methods(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Send the text for a methods section."""
    content = _findings(request, track, task)
    return HttpResponse(methods_text(content), content_type="text/plain; charset=utf-8")


@require_safe
def report_bundle(request: HttpRequest, track: str, task: str) -> HttpResponse | FileResponse:
    """Send the zip to organizers, and to all readers of a track with public runs; or offer to pack it."""
    report = _find_packable(request, track, task)
    try:
        target = find_bundle(report=report)
    except BundleNotPacked:
        return _without_bundle(request, report, HTTPStatus.CONFLICT)
    except BundleBeingPacked:
        answer = _without_bundle(request, report, HTTPStatus.ACCEPTED)
        answer["Refresh"] = "10"
        return answer
    return FileResponse(target, as_attachment=True, filename=f"{track}-{task}-report.zip")


@require_POST
def report_pack(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Queue the packing of the zip, also for readers without an account, and redirect to its URL."""
    report = _find_packable(request, track, task)
    try:
        with transaction.atomic():  # a refused request does not count
            spend_rate(name="bundle", who=requester(request))
            ask_bundle(report=report, by=request.user if request.user.is_authenticated else None)
    except TooManyRequests as error:
        return too_many(request, error)
    except InputError as error:
        messages.error(request, str(error))
    return redirect(f"{reverse('report_bundle', args=[track, task])}?of={report.pk}")


def _find_packable(request: HttpRequest, track: str, task: str) -> Report:
    report = find_shown_report(request, track, task)
    if not organizes(request.user, report.task.track_id) and not (
        report.task.track.has_public_runs and Task.objects.released_to(request.user).contains(report.task)
    ):
        raise Http404
    return report


def _without_bundle(request: HttpRequest, report: Report, status: HTTPStatus) -> HttpResponse:
    context = {
        "task": report.task,
        "report": report,
        "is_pending": status == HTTPStatus.ACCEPTED,
        "parked": Packing.objects.parked().filter(report=report).first(),
        "is_organizer": organizes(request.user, report.task.track_id),
    }
    return render(request, "evaluation/reports/report_bundle.html", context, status=status)


def find_shown_report(request: HttpRequest, track: str, task: str) -> Report:
    """Return the report whose primary key the URL has, else the latest whole one, or raise 404."""
    track_task = find_task(request, track, task)
    visible = Report.objects.visible_to(request.user).filter(task=track_task).defer("sections")
    if "of" in request.GET:
        report = visible.filter(pk=key_in(request.GET, "of")).first()
    else:
        report = visible.whole().order_by("-computed_at").first()
    if report is None:
        raise Http404
    report.task = track_task
    return report


def find_current_report(request: HttpRequest, track: str, task: str) -> Report:
    """Return the shown report; 404 if older software computed it, whose findings have another form."""
    report = find_shown_report(request, track, task)
    if report.is_old:
        raise Http404
    return report


def _findings(request: HttpRequest, track: str, task: str) -> Findings:
    return from_json(find_current_report(request, track, task).stored)
