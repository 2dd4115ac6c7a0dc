"""Ordering a judge to score a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task
from judges.actions.start_job import start_job
from judges.forms import JobStartForm

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def job_start(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Choose judge and pool, and go to the new job."""
    found = find_organized_task(request, track, task)
    form = JobStartForm(request.POST or None, task=found)
    if form.is_valid():
        try:
            job = start_job(**form.cleaned_data, by=request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The job is queued. Workers take it up as soon as one is free.")
            return redirect("job_detail", track, task, job.pk)
    return render(request, "judges/job_start.html", {"task": found, "form": form})
