"""The files that were brought in for a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Import, ImportKind
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@require_safe
@login_required
def import_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List them, latest first, with the ways to bring in more."""
    found = find_organized_task(request, track, task)
    imports = Import.objects.filter(task=found).select_related("received_by", "upload")
    context = {"task": found, "imports": imports, "kinds": ImportKind}
    return render(request, "evaluation/import_list.html", context)
