"""Publish grades, fit mappings, create ensembles, import scores."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.access.limits.views import limited
from evaluation.access.requests import SignedInRequest, error_in, error_shown
from evaluation.tracks.lookups import find_organized_task
from evaluation.work.operations.models import Operation
from judges.grades.check_pools import request_check_pool
from judges.grades.ensembles import create_ensemble
from judges.grades.forms import EnsembleForm, JobPublishForm, MappingForm, ScoresImportForm
from judges.grades.publishing import fit_mapping, request_publication, scale_of
from judges.grades.scores import request_scores_import
from judges.jobs.lookups import find_job


@login_required
@require_POST
def job_check(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Queue the freezing of a check pool; its topics are then assigned like those of any other pool."""
    found = find_job(request, track, task, job)
    with error_shown(request):
        request_check_pool(job=found, by=request.user)
    return redirect("job_detail", track, task, job)


@login_required
@require_POST
def job_publish(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Queue the publication of the job's grades by a frozen mapping."""
    found = find_job(request, track, task, job)
    form = JobPublishForm(request.POST, job=found, user=request.user)
    if not form.is_valid():
        messages.error(request, "Choose a frozen mapping of this judge, or freeze the thresholds first.")
        return redirect("job_detail", track, task, job)
    with error_shown(request):
        request_publication(job=found, mapping=form.cleaned_data["mapping"], by=request.user)
    return redirect("job_detail", track, task, job)


@login_required
@require_POST
def mapping_fit(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Fit a rule on the job's scores, or use the given cuts, and freeze it as the next version."""
    found = find_job(request, track, task, job)
    form = MappingForm(request.POST, task=found.pool.task, scale=scale_of(found))
    if not form.is_valid():
        messages.error(request, "Give all cuts as numbers, or none, and a share from 1 to 99 per cent.")
        return redirect("mapping_preview", track, task, job)
    with error_shown(request):
        mapping = fit_mapping(job=found, by=request.user, **form.order)
        messages.success(request, f"Frozen: {mapping}.")
    return redirect("job_detail", track, task, job)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ensemble_create(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Create an ensemble; it can judge every pool that its members have judged."""
    found = find_organized_task(request, track, task)
    form = EnsembleForm(request.POST or None, task=found)
    if form.is_valid():
        with error_in(form):
            judge = create_ensemble(**form.cleaned_data, task=found, by=request.user)
            messages.success(request, f"{judge} is created. Choose it as the judge of a new job.")
            return redirect("job_start", track, task)
    return render(request, "judges/grades/ensemble_create.html", {"task": found, "form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("import")
def scores_import(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Upload a file of scores for a pool, and queue its import."""
    found = find_organized_task(request, track, task)
    form = ScoresImportForm(request.POST or None, request.FILES or None, task=found)
    if form.is_valid():
        file = form.cleaned_data["file"]
        given = {"name": form.cleaned_data["name"], "pool": form.cleaned_data["pool"]}
        with error_in(form, "file"):
            request_scores_import(**given, file=file, file_name=file.name, by=request.user)
            return redirect("scores_import", track, task)
    context = {"task": found, "form": form, "operations": Operation.objects.recent(found)}
    return render(request, "judges/grades/scores_import.html", context)
