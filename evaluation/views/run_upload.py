"""Uploading a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.receive_run import receive_run
from evaluation.core.errors import InputError
from evaluation.forms.run_description import description_of
from evaluation.forms.run_upload import RunUploadForm, teams_to_upload_for
from evaluation.models import Run
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import Task
    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def run_upload(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Receive a run file and go on to the page of its check."""
    found = find_task(request, track, task)
    replaced = _replaced(request, found)
    initial = description_of(replaced) | {"team": replaced.team_id} if replaced else {}
    form = RunUploadForm(
        request.POST or None, request.FILES or None, task=found, by=request.user, initial=initial
    )
    if form.is_valid():
        team, file = form.cleaned_data["team"], form.cleaned_data["file"]
        try:
            run = receive_run(task=found, team=team, file=file, by=request.user, **form.described)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            return redirect("run_detail", track, task, run.pk)
    context = {"task": found, "form": form, "max_mebibytes": settings.MAX_UPLOAD_BYTES // 2**20}
    return render(request, "evaluation/run_upload.html", context | {"replaced": replaced})


def _replaced(request: SignedInRequest, task: Task) -> Run | None:
    """The accepted run of an own team that the address names as the one to replace: its words are kept."""
    own = Run.objects.accepted().filter(task=task, team__in=teams_to_upload_for(task, request.user))
    wanted = request.GET.get("replaces", "")
    return own.select_related("team").filter(pk=int(wanted)).first() if wanted.isdecimal() else None
