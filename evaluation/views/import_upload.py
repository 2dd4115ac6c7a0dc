"""Bringing a file in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.receive_import import receive_import
from evaluation.forms.import_upload import FILES, ImportUploadForm
from evaluation.models import ImportKind
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_upload(request: SignedInRequest, track: str, task: str, kind: str) -> HttpResponse:
    """Receive a file of the kind and go on to the page of its trial."""
    found = find_organized_task(request, track, task)
    if kind not in ImportKind.values:
        raise Http404
    chosen = ImportKind(kind)
    form = ImportUploadForm(request.POST or None, request.FILES or None, kind=chosen, task=found)
    if form.is_valid():
        made = receive_import(
            task=found,
            kind=chosen,
            file=form.cleaned_data["file"],
            team=form.cleaned_data.get("team"),
            options=form.options,
            by=request.user,
        )
        return redirect("import_detail", track, task, made.pk)
    context = {"task": found, "form": form, "kind": chosen, "kinds": ImportKind, "about": FILES[chosen]}
    return render(request, "evaluation/import_upload.html", context)
