"""From a report to a pool for a third person."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from evaluation.platform.access.limits.views import post_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.results.reports.actions import freeze_third_pool
from evaluation.results.reports.files import find_shown_report
from evaluation.results.reports.forms import ThirdForm
from evaluation.tracks.lookups import find_organized_task


@post_view()
def report_third(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Freeze the results that decide on a judge and a family as a pool for a third person."""
    find_organized_task(request, track, task)
    report = find_shown_report(request, track, task)
    form = ThirdForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a judge and a family of the report.")
        return redirect("report_detail", track, task)
    with error_shown(request):
        pool = freeze_third_pool(report=report, **form.cleaned_data, by=request.user)
        messages.success(
            request,
            f"Frozen: pool {pool.name}, {pool.items.count()} pairs. Assign it by topic: people who judged "
            "none of them get it. Then publish people's qrels again.",
        )
    return redirect("report_detail", track, task)
