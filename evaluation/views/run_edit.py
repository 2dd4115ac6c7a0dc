"""Changing what a team says of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.edit_run import edit_run, may_edit
from evaluation.core.errors import InputError
from evaluation.forms.run_description import RunDescriptionForm, description_of
from evaluation.views.finding import find_run, find_task
from evaluation.views.run_detail import shows_upload

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def run_edit(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Change description, kind and replies until the close; afterwards the page says so."""
    found, of_task = find_run(request, track, task, run), find_task(request, track, task)
    if not shows_upload(request.user, found):
        raise Http404
    form = RunDescriptionForm(
        request.POST or None,
        task=of_task,
        needs_replies=not found.team.is_baseline,
        initial=description_of(found),
    )
    if form.is_valid():
        try:
            edit_run(run=found, by=request.user, **form.described)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            return redirect("run_detail", track, task, run)
    context = {"task": of_task, "run": found, "form": form, "may_edit": may_edit(found)}
    return render(request, "evaluation/run_edit.html", context)
