"""Making a pool of a job's flagged pairs for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.core.errors import InputError
from judges.actions.build_check_pool import build_check_pool
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def job_check(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Freeze the pool; its topics are then assigned like those of any other."""
    found = find_job(request, track, task, job)
    try:
        pool = build_check_pool(job=found, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Frozen: pool {pool.name}, {pool.items.count():,} pairs. Assign it now.")
    return redirect("job_detail", track, task, job)
