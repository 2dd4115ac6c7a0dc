"""Ordering a judge to score a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task
from judges.actions.estimate_job import estimate_job
from judges.actions.start_job import start_job
from judges.core.costs import amount
from judges.core.durations import duration_words
from judges.forms.job_start import JobStartForm
from judges.models import Judge

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest
    from judges.actions.estimate_job import Estimate


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def job_start(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Choose judge and pool, see what the job would take, and start it."""
    found = find_organized_task(request, track, task)
    form = JobStartForm(request.POST or request.GET or None, task=found)
    estimate = None
    if form.is_valid() and request.method != "POST":
        estimate = estimate_job(judge=form.cleaned_data["judge"], pool=form.cleaned_data["pool"])
    elif form.is_valid():
        try:
            job = start_job(**form.order, by=request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The job is queued. Workers take it up as soon as one is free.")
            return redirect("job_detail", track, task, job.pk)
    context = {
        "task": found,
        "form": form,
        "estimate": estimate and _rows(estimate),
        "absent_fields": estimate and ", ".join(estimate.absent_fields),
        "ending": Judge.objects.ending().in_use().filter(task_kinds__contains=[found.kind]),
    }
    return render(request, "judges/job_start.html", context)


def _rows(estimate: Estimate) -> dict[str, str]:
    """The estimate in words, by term."""
    bound, likely, duration = estimate.bound_micros, estimate.likely_micros, estimate.duration
    unpriced = "not counted: the price table does not name the model"
    tokens = estimate.token_count
    return {
        "Pairs": f"{estimate.pair_count:,}",
        **({} if tokens is None else {"Tokens": f"about {tokens:,}, with the longest answers"}),
        "Cost at most": unpriced if bound is None else amount(bound),
        "Cost, likely": "unknown before the model’s first answers" if likely is None else amount(likely),
        "Time": "unknown before the judge’s first job"
        if duration is None
        else f"about {duration_words(duration)}, at the pace of its last job",
    }
