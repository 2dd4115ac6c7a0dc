"""The page of a task's long work: what waits, runs or is parked."""

from django.db.models import OuterRef, Q
from django.db.models.expressions import BaseExpression
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from evaluation.organizing.imports.models import Import
from evaluation.platform.access.limits.views import page_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.results.reports.models import Packing
from evaluation.submissions.runs import checking
from evaluation.tracks.facts import CountOf
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.work.models import LOST_AFTER, MOST_ATTEMPTS, LongWork
from evaluation.tracks.work.operations.models import Operation
from evaluation.tracks.work.queueing import retry_work
from evaluation.tracks.work.recomputing.models import ReportProgress, Scoring

KINDS: dict[str, type[LongWork]] = {
    "import": Import,
    "scores": Scoring,
    "report": ReportProgress,
    "operation": Operation,
    "packing": Packing,
}
NAMES = {
    "import": "imports",
    "scores": "scores",
    "report": "reports",
    "operation": "operations",
    "packing": "zips of reports",
}


@page_view
def work_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List what is queued, by kind; parked rows first."""
    track_task = find_organized_task(request, track, task)
    context = {
        "task": track_task,
        "rows": queued_work(track_task),
        "most_attempts": MOST_ATTEMPTS,
        "lost_after": round(LOST_AFTER.total_seconds()),
    }
    return render(request, "evaluation/pages/work_list.html", context)


@post_view()
def work_retry(request: SignedInRequest, track: str, task: str, work: str, row: int) -> HttpResponse:
    """Queue parked work again."""
    parked = find_work(find_organized_task(request, track, task), work, row)
    with error_shown(request):
        retry_work(row=parked, by=request.user)
    return redirect("work_list", track, task)


def find_work(task: Task, kind: str, row: int) -> LongWork:
    """Return the row of that kind of the task, or raise Http404."""
    if kind not in KINDS:
        raise Http404
    return get_object_or_404(KINDS[kind].rows(), Q(task=task), pk=row)


def untaken_work() -> list[str]:
    """Return the kinds of work, in the plural, that were due for a minute in which no worker took any."""
    kinds = [NAMES[kind] for kind, model in KINDS.items() if model.rows().are_untaken()]
    return ["checks of runs", *kinds] if checking.are_untaken() else kinds


def parked_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the number of parked rows of each kind of work of a task."""
    return {
        kind: CountOf(model.rows().parked().filter(Q(task=OuterRef("pk")))) for kind, model in KINDS.items()
    }


def queued_work(task: Task) -> list[tuple[str, LongWork]]:
    """Return kind and row of what is queued for the task, parked rows first."""
    pairs: list[tuple[str, LongWork]] = []
    for kind, model in KINDS.items():
        rows = model.rows().filter(Q(task=task), queued_at__isnull=False).select_related("queued_by")
        pairs += [(kind, row) for row in rows.order_by("queued_at", "pk")]
    return sorted(pairs, key=lambda pair: not pair[1].is_parked)
