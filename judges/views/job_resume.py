"""Letting a halted job go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.core.errors import InputError
from judges.actions.resume_job import resume_job
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def job_resume(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Queue again what is not done."""
    try:
        resume_job(job=find_job(request, track, task, job), by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The job goes on.")
    return redirect("job_detail", track, task, job)
