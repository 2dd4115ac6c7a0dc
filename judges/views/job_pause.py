"""Pausing a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.core.errors import InputError
from judges.actions.pause_job import pause_job
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def job_pause(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Pause the job; what is under way is stored."""
    try:
        pause_job(job=find_job(request, track, task, job), by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The job is paused.")
    return redirect("job_detail", track, task, job)
