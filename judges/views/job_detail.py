"""One job: its progress, its gaps, and the grades it could become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.models import Qrels
from judges.core.mapping import NothingToMap
from judges.core.preview import preview_paper_2024
from judges.forms import JobPublishForm
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import User
    from evaluation.views.finding import SignedInRequest
    from judges.core.preview import Preview
    from judges.models import Job

GAPS_SHOWN = 20


@login_required
@require_safe
def job_detail(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Show the job; once it is completed, also what a mapping would make of its scores."""
    found = find_job(request, track, task, job)
    context = _progress(found) | {
        "gaps": found.calls.failed().order_by("topic", "docno")[:GAPS_SHOWN],
        "errors": found.shards.exclude(error="").order_by().values_list("error", flat=True).distinct(),
    }
    if found.is_completed:
        context |= _grades(found, request.user)
    return render(request, "judges/job_detail.html", context)


@login_required
@require_safe
def job_progress(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """The figures alone, asked for again and again while the job is active; then the page loads anew."""
    found = find_job(request, track, task, job)
    if not found.is_active:
        return HttpResponseClientRefresh()
    return render(request, "judges/job_progress.html", _progress(found))


def _progress(job: Job) -> dict[str, Any]:
    return {"job": job, "task": job.pool.task, "outcomes": job.outcome_counts()}


def _grades(job: Job, user: User) -> dict[str, Any]:
    try:
        preview = preview_paper_2024(job.calls.raw_scores())
    except NothingToMap:
        return {}
    return {
        "preview": preview,
        "grade_rows": _rows(preview),
        "form": JobPublishForm(job=job, user=user),
        "published": Qrels.objects.filter(pool=job.pool, name=job.judge.name).order_by("-version"),
    }


def _rows(preview: Preview) -> list[dict[str, Any]]:
    """A row for each grade: the range of raw scores, the number and the share of its pairs."""
    lower, upper = (f"{threshold:.4f}" for threshold in preview.mapping.thresholds)
    ranges = (f"below {lower}", f"{lower} to {upper}", f"above {upper}")
    return [
        {"grade": grade, "range": scores, "count": count, "share": count / preview.mapping.n}
        for grade, (scores, count) in enumerate(zip(ranges, preview.grade_counts, strict=True))
    ]
