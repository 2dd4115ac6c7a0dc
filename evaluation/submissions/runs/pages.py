"""Pages of uploads: the form, verdicts, the forms that change a run, and later closes for teams."""

from pathlib import PurePath
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models.functions import Now
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_in, error_shown, key_in
from evaluation.platform.access.site_mail import if_mailed
from evaluation.platform.web.opened_forms import atomic_post
from evaluation.submissions.runs.checking import confirm_order, recheck_run
from evaluation.submissions.runs.editing import edit_run, may_edit, withdraw_run
from evaluation.submissions.runs.forms import (
    LateExceptionForm,
    RunDescriptionForm,
    RunUploadForm,
    description_of,
    settings_of,
    teams_to_upload_for,
)
from evaluation.submissions.runs.granting import grant_exception, withdraw_exception
from evaluation.submissions.runs.late_exceptions import LateException
from evaluation.submissions.runs.lookups import find_run
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.notes import write_note
from evaluation.submissions.runs.receiving import receive_run
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.submissions.teams.registering import missing_of
from evaluation.tracks.lookups import find_organized_task, find_task
from evaluation.tracks.models import Task
from trackside.checks import Verdict, verdict_text
from trackside.text.counted import counted


@form_view("upload")
def run_upload(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Receive a run file and redirect to the page of the run."""
    track_task = find_task(request, track, task)
    replaced = _replaced(request, track_task)
    initial = description_of(replaced) | {"team": replaced.team_id} if replaced else {}
    form = RunUploadForm(
        request.POST or None, request.FILES or None, task=track_task, by=request.user, initial=initial
    )
    if form.is_valid():
        team, file = form.cleaned_data["team"], form.cleaned_data["file"]
        with error_in(form):
            run = receive_run(task=track_task, team=team, file=file, by=request.user, **form.described)
            return redirect("run_detail", track, task, run.pk)
    context = {"task": track_task, "form": form, "max_mebibytes": settings.MAX_UPLOAD_BYTES // 2**20}
    teams = teams_to_upload_for(track_task, request.user)
    exceptions = LateException.objects.open_at(Now()).filter(task=track_task, team__in=teams)
    context |= {
        "replaced": replaced,
        "exceptions": exceptions.select_related("team"),
        "takes_runs": exceptions.exists() or Task.objects.taking_runs_at(Now()).contains(track_task),
        "missing": missing_of(teams.select_related("track")),
    }
    return render(request, "evaluation/runs/run_upload.html", context)


def _replaced(request: SignedInRequest, task: Task) -> Run | None:
    """Return the accepted run of ?replaces=, of one of the person's teams; the form copies its fields."""
    runs = Run.objects.accepted().filter(task=task, team__in=teams_to_upload_for(task, request.user))
    return runs.select_related("team").filter(pk=key_in(request.GET, "replaces")).first()


@form_view()
@atomic_post
def run_settings(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Set family, type, depth and priority of the accepted runs in one table."""
    track_task = find_organized_task(request, track, task)
    formset = settings_of(track_task, request.POST or None)
    if request.method == "POST" and formset.is_valid():
        changed = formset.save()
        messages.success(request, f"{counted(len(changed), 'run')} changed.")
        return redirect("run_settings", track, task)
    context = {"task": track_task, "formset": formset, "has_families": track_task.families.exists()}
    return render(request, "evaluation/runs/run_settings.html", context)


@page_view
def run_replies(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show the replies to the upload form: a row for each accepted run, a column for each question."""
    track_task = find_organized_task(request, track, task)
    questions = list(SubmissionQuestion.objects.filter(task=track_task))
    runs = Run.objects.accepted().filter(task=track_task).select_related("team").order_by("tag")
    context = {
        "task": track_task,
        "questions": questions,
        "rows": [(run, [(item.text, run.replies.get(item.name, "")) for item in questions]) for run in runs],
    }
    return render(request, "evaluation/runs/run_replies.html", context)


PACKED = (".gz", ".zst", ".bz2")


@require_safe
def run_verdict_json(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Send the verdict with all its facts."""
    _, verdict = _find_verdict(request, track, task, run)
    return JsonResponse(verdict, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_safe
def run_verdict_text(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Send the verdict as ``trackside check`` prints it."""
    file_name, verdict = _find_verdict(request, track, task, run)
    text = verdict_text(Verdict.from_json(verdict), file_name)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def run_file(request: HttpRequest, track: str, task: str, run: int) -> HttpResponseBase:
    """Send the upload byte for byte to its team, and to others if the track publishes runs."""
    task_run = find_run(request, track, task, run)
    if not task_run.has_file:
        raise Http404
    return FileResponse(
        task_run.upload.open(),
        as_attachment=True,
        filename=task_run.file_name if task_run.is_opened else public_name(task_run),
        content_type="application/octet-stream",
        headers={"ETag": f'"{task_run.upload_id}"'},
    )


def public_name(run: Run) -> str:
    """Return the file name for others: the tag and the suffix of the packing, not the uploaded name."""
    suffix = PurePath(run.file_name).suffix
    return f"{run.tag}.run{suffix if suffix in PACKED else ''}"


def _find_upload(request: HttpRequest, track: str, task: str, run: int) -> Run:
    task_run = find_run(request, track, task, run)
    if not task_run.is_opened:
        raise Http404
    return task_run


def _find_verdict(request: HttpRequest, track: str, task: str, run: int) -> tuple[str, dict[str, Any]]:
    task_run = _find_upload(request, track, task, run)
    if task_run.verdict is None:
        raise Http404
    return task_run.file_name, task_run.verdict.content


@form_view("change")
def run_edit(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Change description, kind and replies until the task closes; afterwards show why not."""
    task_run, track_task = _find_upload(request, track, task, run), find_task(request, track, task)
    form = RunDescriptionForm(
        request.POST or None,
        task=track_task,
        needs_replies=not task_run.team.is_baseline,
        initial=description_of(task_run),
    )
    if form.is_valid():
        with error_in(form):
            edit_run(run=task_run, by=request.user, **form.described)
            return redirect("run_detail", track, task, run)
    context = {"task": track_task, "run": task_run, "form": form, "may_edit": may_edit(task_run)}
    return render(request, "evaluation/runs/run_edit.html", context)


@post_view()
def run_recheck(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Queue the check of a parked run again; organizers only."""
    find_organized_task(request, track, task)
    task_run = find_run(request, track, task, run)
    with error_shown(request):
        recheck_run(run=task_run, by=request.user)
    return redirect("run_detail", track, task, run)


@post_view()
def run_confirm(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Confirm that a run which looked upside down is meant so."""
    task_run = _find_upload(request, track, task, run)
    with error_shown(request):
        confirm_order(run=task_run, by=request.user)
    return redirect("run_detail", track, task, run)


@post_view()
def run_withdraw(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Withdraw a run; its page and file stay. Organizers give a ``reason``."""
    task_run = _find_upload(request, track, task, run)
    with error_shown(request):
        withdraw_run(run=task_run, by=request.user, reason=request.POST.get("reason", ""))
    return redirect("run_detail", track, task, run)


@post_view("announcement")
def run_note(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Write a note to the team of a run; organizers only."""
    find_organized_task(request, track, task)
    task_run = find_run(request, track, task, run)
    with error_shown(request):
        write_note(run=task_run, text=request.POST.get("text", ""), by=request.user)
        messages.success(request, f"The note is sent to {task_run.team}.")
    return redirect("run_detail", track, task, run)


@form_view("announcement")
def late_exceptions(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the task's exceptions, and grant one, which is mailed to the team."""
    track_task = find_organized_task(request, track, task)
    form = LateExceptionForm(request.POST or None, task=track_task)
    if form.is_valid():
        with error_in(form):
            granted = grant_exception(task=track_task, by=request.user, **form.cleaned_data)
            mailed = if_mailed("Its members get a mail.")
            messages.success(request, f"{granted.team} may upload late.{mailed}")
            return redirect("late_exceptions", track, task)
    exceptions = LateException.objects.visible_to(request.user).filter(task=track_task)
    context = {
        "task": track_task,
        "form": form,
        "exceptions": exceptions.with_is_over().select_related("team", "granted_by", "withdrawn_by"),
        "has_pool": track_task.pools.exists(),
    }
    return render(request, "evaluation/runs/late_exceptions.html", context)


@post_view("change")
def late_exception_withdraw(request: SignedInRequest, track: str, task: str, exception: int) -> HttpResponse:
    """End an exception immediately."""
    track_task = find_organized_task(request, track, task)
    granted = get_object_or_404(LateException.objects.select_related("team"), task=track_task, pk=exception)
    with error_shown(request):
        withdraw_exception(exception=granted, by=request.user)
        messages.success(request, f"The exception of {granted.team} is withdrawn.")
    return redirect("late_exceptions", track, task)
