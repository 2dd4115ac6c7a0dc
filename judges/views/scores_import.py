"""Taking in another lab's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task
from judges.actions.import_scores import import_scores
from judges.forms.scores_import import ScoresImportForm

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def scores_import(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Upload a file of scores for a pool, and go to the job that holds them."""
    found = find_organized_task(request, track, task)
    form = ScoresImportForm(request.POST or None, request.FILES or None, task=found)
    if form.is_valid():
        file = form.cleaned_data["file"]
        given = {"name": form.cleaned_data["name"], "pool": form.cleaned_data["pool"]}
        try:
            job = import_scores(**given, content=file.read(), file_name=file.name, by=request.user)
        except InputError as error:
            form.add_error("file", str(error))
        else:
            messages.success(request, "The scores are in.")
            return redirect("job_detail", track, task, job.pk)
    return render(request, "judges/scores_import.html", {"task": found, "form": form})
