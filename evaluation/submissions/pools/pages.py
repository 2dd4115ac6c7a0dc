"""Pages of pools: compare sizes by depth, preview one, and freeze it."""

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django_htmx.http import HttpResponseClientRefresh

from evaluation.platform.access.limits.views import form_view, page_view
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.submissions.pools.actions import waiting_runs
from evaluation.submissions.pools.forms import PoolBuildForm
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.submissions.pools.operations import PREVIEW, find_runs, request_pool
from evaluation.submissions.pools.preview import DEPTHS, DrawPreview, preview_pools
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.panels import workload_of
from evaluation.tracks.work.operations.models import Operation, OperationOutcome


@form_view()
def pool_build(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Queue the freezing of a pool of the task's accepted runs, or its preview."""
    track_task = find_judged_task(request, track, task)
    pools = _frozen_pools(track_task)
    wanted = request.GET.get("depth", "")
    depth = int(wanted) if wanted in map(str, DEPTHS) else None
    form = PoolBuildForm(
        request.POST or None,
        runs=find_runs(track_task),
        initial={"name": f"pool {len(pools) + 1}"},
        depth=depth,
    )
    if form.is_valid():
        is_preview = "preview" in request.POST
        with error_in(form):
            started = request_pool(task=track_task, form=form, by=request.user, is_preview=is_preview)
            if is_preview:
                return redirect("pool_preview", track, task, started.pk)
            return redirect("pool_build", track, task)
    context = _context(track_task, form, pools) | {
        "depth": depth,
        "operations": Operation.objects.recent(track_task),
    }
    return render(request, "evaluation/pools/pool_build.html", context)


@page_view
def pool_preview(request: SignedInRequest, track: str, task: str, operation: int) -> HttpResponse:
    """Show what would be drawn, above the submitted form; htmx polls until a worker has drawn it."""
    track_task = find_judged_task(request, track, task)
    preview = get_object_or_404(Operation, task=track_task, kind=PREVIEW, pk=operation)
    context = {"task": track_task, "preview_of": preview}
    if request.headers.get("HX-Request"):
        if not preview.is_pending:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/pools/preview_progress.html", context)
    form = PoolBuildForm(preview.options, runs=find_runs(track_task))
    if preview.outcome == OperationOutcome.REFUSED:
        form.add_error(None, preview.message)
    draw = DrawPreview(**preview.findings) if preview.findings else None
    context |= _context(track_task, form, _frozen_pools(track_task)) | {"draw": draw}
    return render(request, "evaluation/pools/pool_build.html", context)


def _frozen_pools(task: Task) -> list[Pool]:
    """Return the task's pools with their sizes and ``bare_count``, items that nobody can grade as asked."""
    bare_items = PoolItem.objects.bare(task).filter(pool=OuterRef("pk")).order_by().values("pool")
    bare_count = Subquery(bare_items.annotate(count=Count("pk")).values("count"))
    pools = Pool.objects.filter(task=task).with_size().select_related("created_by")
    return list(pools.annotate(bare_count=Coalesce(bare_count, 0)))


def _context(task: Task, form: PoolBuildForm, pools: list[Pool]) -> dict[str, Any]:
    workload = workload_of(task)
    preview = preview_pools(task, form.runs, workload)
    return {
        "task": task,
        "form": form,
        "preview": preview,
        "workload": workload,
        "rows": [
            (run, field, preview.unique_counts.get(str(run.pk), 0), preview.team_counts.get(run.team.name, 0))
            for run, field in form.rows
        ],
        "pools": pools,
        "shows_pictures": TaskKind(task.kind).retrieves_images,
        "waiting": waiting_runs(task),
        "unpooled": sum(run.is_unpooled for run in form.runs),
    }
