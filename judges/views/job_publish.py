"""Publishing a judge's grades as qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.core.errors import InputError
from judges.actions.publish_job import publish_job
from judges.forms.job_publish import JobPublishForm
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def job_publish(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Publish what a frozen mapping makes of the job's scores."""
    found = find_job(request, track, task, job)
    form = JobPublishForm(request.POST, job=found, user=request.user)
    if not form.is_valid():
        messages.error(request, "Choose a frozen mapping of this judge, or freeze the thresholds first.")
        return redirect("job_detail", track, task, job)
    try:
        qrels = publish_job(job=found, mapping=form.cleaned_data["mapping"], by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Published {qrels}: {qrels.graded_count:,} pairs with a grade.")
    return redirect("job_detail", track, task, job)
