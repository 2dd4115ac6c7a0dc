"""One import: its progress, what it would do or did, and the way to let it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.actions.confirm_import import confirm_import
from evaluation.core.errors import InputError
from evaluation.models import Import
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import Task
    from evaluation.views.finding import SignedInRequest


@require_safe
@login_required
def import_detail(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Show an import; a page that polls gets the progress, and loads anew once the worker is through."""
    found = find_organized_task(request, track, task)
    shown = _find(found, task_import)
    context = {"task": found, "import": shown}
    if request.headers.get("HX-Request"):
        if not shown.is_at_work:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/import_progress.html", context)
    return render(request, "evaluation/import_detail.html", context)


@login_required
@require_POST
def import_confirm(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Let what was tried be added."""
    shown = _find(find_organized_task(request, track, task), task_import)
    try:
        confirm_import(task_import=shown, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("import_detail", track, task, task_import)


def _find(task: Task, task_import: int) -> Import:
    imports = Import.objects.select_related("received_by", "confirmed_by", "upload", "team")
    return get_object_or_404(imports, task=task, pk=task_import)
