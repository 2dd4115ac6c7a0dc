"""Freezing the rule by which a judge's scores become grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.core.errors import InputError
from judges.actions.fit_mapping import fit_mapping
from judges.forms.mapping import MappingForm
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def mapping_fit(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Fit the rule on the job's scores, or take the cuts given, and freeze it as the next version."""
    found = find_job(request, track, task, job)
    form = MappingForm(request.POST, task=found.pool.task)
    if not form.is_valid():
        messages.error(request, "Give both cuts as numbers, or none, and a share from 1 to 99 per cent.")
        return redirect("mapping_preview", track, task, job)
    try:
        mapping = fit_mapping(job=found, by=request.user, **form.order)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Frozen: {mapping}.")
    return redirect("job_detail", track, task, job)
