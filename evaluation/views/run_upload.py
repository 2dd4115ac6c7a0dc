"""Uploading a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.receive_run import receive_run
from evaluation.core.errors import InputError
from evaluation.forms.run_upload import RunUploadForm
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def run_upload(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Receive a run file and go on to the page of its check."""
    found = find_task(request, track, task)
    form = RunUploadForm(request.POST or None, request.FILES or None, task=found, by=request.user)
    if form.is_valid():
        try:
            run = receive_run(task=found, by=request.user, **form.cleaned_data)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            return redirect("run_detail", track, task, run.pk)
    context = {"task": found, "form": form, "max_mebibytes": settings.MAX_UPLOAD_BYTES // 2**20}
    return render(request, "evaluation/run_upload.html", context)
