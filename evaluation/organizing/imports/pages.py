"""Pages of imports."""

import base64

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django_htmx.http import HttpResponseClientRefresh

from evaluation.collections.chosen_fields import ImportKind
from evaluation.organizing.imports.actions import (
    choose_fields,
    confirm_import,
    receive_import,
    remove_import,
    retry_import,
)
from evaluation.organizing.imports.forms import (
    FILES,
    ImportUploadForm,
    field_rows,
    posted_choice,
    why_waiting,
)
from evaluation.organizing.imports.models import Import
from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.results.qrels.practice import leaving_words
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.images import IMAGE_CONTENT_TYPES
from trackside.imports.fields import Use
from trackside.text.roles import ROLES

MOST_LISTED = 100


@page_view
def import_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the task's latest imports, with links to add more."""
    track_task = find_organized_task(request, track, task)
    imports = Import.objects.listed().filter(task=track_task).select_related("received_by", "upload")
    context = {
        "task": track_task,
        "imports": imports[:MOST_LISTED],
        "most": MOST_LISTED,
        "kinds": ImportKind,
        "is_empty": not track_task.topics.exists(),
    }
    return render(request, "evaluation/imports/import_list.html", context)


@form_view("import")
def import_upload(request: SignedInRequest, track: str, task: str, kind: str) -> HttpResponse:
    """Receive a file of the kind and redirect to the page of the import."""
    track_task = find_organized_task(request, track, task)
    if kind not in ImportKind.values:
        raise Http404
    chosen = ImportKind(kind)
    form = ImportUploadForm(request.POST or None, request.FILES or None, kind=chosen, task=track_task)
    if form.is_valid():
        made = receive_import(
            task=track_task,
            kind=chosen,
            file=form.cleaned_data["file"],
            team=form.cleaned_data.get("team"),
            options=form.options,
            by=request.user,
        )
        return redirect("import_detail", track, task, made.pk)
    context = {"task": track_task, "form": form, "kind": chosen, "kinds": ImportKind, "about": FILES[chosen]}
    return render(request, "evaluation/imports/import_upload.html", context)


def _lacks_id(trial: Import) -> bool:
    """Whether no record can be added because no field is used as id."""
    is_refused = {name for name, count in (trial.counts or {}).items() if count} == {"refused"}
    return is_refused and bool(trial.fields) and all(field["use"] != Use.NAME for field in trial.fields)


@page_view
def import_detail(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Show an import; return its progress to htmx polls, and a page reload when the worker is done."""
    track_task = find_organized_task(request, track, task)
    own_import = _find(track_task, task_import)
    context = {"task": track_task, "import": own_import, "waits": why_waiting(own_import)}
    if request.headers.get("HX-Request"):
        if not own_import.is_pending:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/imports/import_progress.html", context)
    context |= {"rows": field_rows(own_import), "roles": ROLES}
    context["lacks_id"] = _lacks_id(own_import)
    if track_task.is_practice and own_import.kind == ImportKind.QRELS:
        context["leaving"] = leaving_words(track_task)
    return render(request, "evaluation/imports/import_detail.html", context)


@page_view
def import_sample(
    request: SignedInRequest, track: str, task: str, task_import: int, sample: int
) -> HttpResponse:
    """Send the small copy of the picture of one of the first records, which is not stored yet."""
    samples = _find(find_organized_task(request, track, task), task_import).samples
    if sample >= len(samples) or not samples[sample]["thumbnail"]:
        raise Http404
    return HttpResponse(
        base64.b64decode(samples[sample]["thumbnail"]),
        content_type=IMAGE_CONTENT_TYPES["thumbnail"],
        headers={
            "Cache-Control": "private, no-store",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        },
    )


@post_view()
def import_fields(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Store the uses of the fields, and try the import again."""
    own_import = _find(find_organized_task(request, track, task), task_import)
    with error_shown(request):
        choose_fields(task_import=own_import, choice=posted_choice(own_import, request.POST), by=request.user)
    return redirect("import_detail", track, task, task_import)


@post_view()
def import_retry(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Try a failed import again."""
    own_import = _find(find_organized_task(request, track, task), task_import)
    with error_shown(request):
        retry_import(task_import=own_import, by=request.user)
    return redirect("import_detail", track, task, task_import)


@post_view()
def import_confirm(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Confirm an import that was tried, without the fields that the button named."""
    own_import = _find(find_organized_task(request, track, task), task_import)
    with error_shown(request):
        confirm_import(task_import=own_import, without=request.POST.getlist("without"), by=request.user)
    return redirect("import_detail", track, task, task_import)


@post_view()
def import_remove(request: SignedInRequest, track: str, task: str, task_import: int) -> HttpResponse:
    """Remove an import that failed or was only tried."""
    own_import = _find(find_organized_task(request, track, task), task_import)
    try:
        remove_import(task_import=own_import, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("import_detail", track, task, task_import)
    messages.success(request, f"{own_import} is removed from the list.")
    return redirect("import_list", track, task)


def _find(task: Task, task_import: int) -> Import:
    imports = Import.objects.listed().select_related(
        "received_by", "confirmed_by", "upload", "team", "task__track", "queued_by"
    )
    return get_object_or_404(imports, task=task, pk=task_import)
