"""Freezing the thresholds between a judge's grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.core.errors import InputError
from judges.actions.fit_mapping import fit_mapping
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def mapping_fit(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Fit the thresholds on the job's scores and freeze them as the next version."""
    try:
        mapping = fit_mapping(job=find_job(request, track, task, job), by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Frozen: {mapping}.")
    return redirect("job_detail", track, task, job)
