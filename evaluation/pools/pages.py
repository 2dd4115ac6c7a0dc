"""Pages of pools: build one, and compare sizes by depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, F
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.core.errors import InputError
from evaluation.panels import workload_of
from evaluation.pools.actions import build_pool as freeze_pool
from evaluation.pools.actions import draw_pool, find_judged
from evaluation.pools.forms import PoolBuildForm
from evaluation.pools.models import Pool, PoolItem
from evaluation.pools.preview import preview_draw, preview_pools
from evaluation.runs.models import Run
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import TaskKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from evaluation.access.requests import SignedInRequest
    from evaluation.pools.actions import Draw
    from evaluation.tracks.models import Task


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pool_build(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Freeze a pool of the task's accepted runs, or preview it."""
    found = find_organized_task(request, track, task)
    runs = (
        Run.objects.accepted()
        .filter(task=found)
        .select_related("team", "task")
        .order_by("team__name", F("pool_priority").asc(nulls_last=True), "tag")
    )
    name = f"pool {Pool.objects.filter(task=found).count() + 1}"
    form = PoolBuildForm(request.POST or None, runs=runs, initial={"name": name})
    draw = None
    if form.is_valid():
        drawn_from: dict[str, Any] = {
            "task": found,
            "seed": form.cleaned_data["seed"],
            "depths": form.depths,
            "recipe": form.recipe(*find_judged(task=found)),
            "leaves_out_bare": form.cleaned_data["leaves_out_bare"],
        }
        try:
            if "preview" in request.POST:
                draw = draw_pool(**drawn_from)
            else:
                pool = freeze_pool(**drawn_from, name=form.cleaned_data["name"], by=request.user)
                messages.success(request, f"Pool {pool.name} is frozen: {pool.items.count():,} items.")
                _warn_of_missing_content(request, found, pool)
                return redirect("pool_build", track, task)
        except InputError as error:
            form.add_error(None, str(error))
    context = {"task": found, "form": form} | _context(found, form, draw)
    return render(request, "evaluation/pools/pool_build.html", context)


def _warn_of_missing_content(request: SignedInRequest, task: Task, pool: Pool) -> None:
    count = PoolItem.objects.bare(task).filter(pool=pool).count()
    if count:
        what = "picture" if task.kind == TaskKind.TEXT_TO_IMAGE else "text"
        messages.warning(request, f"{count:,} of them have no {what}. Import it before they are graded.")


def _bare_counts(task: Task) -> dict[int, int]:
    """Return the count of items without the picture or text to be graded, by primary key of the pool."""
    rows = PoolItem.objects.bare(task).order_by().values_list("pool")
    return dict(rows.annotate(count=Count("pk")))


def _pooled(task: Task) -> Iterable[tuple[str, str]]:
    return PoolItem.objects.filter(pool__task=task).values_list("topic", "docno")


def _context(task: Task, form: PoolBuildForm, draw: Draw | None) -> dict[str, Any]:
    workload = workload_of(task)
    pools, bare = Pool.objects.filter(task=task).with_size(), _bare_counts(task)
    preview = preview_pools(task, form.runs, workload)
    return {
        "draw": preview_draw(draw, _pooled(task), workload) if draw else None,
        "preview": preview,
        "workload": workload,
        "rows": [
            (run, field, preview.unique_counts.get(str(run.pk), 0), preview.team_counts.get(run.team.name, 0))
            for run, field in form.rows
        ],
        "pools": [(pool, bare.get(pool.pk, 0)) for pool in pools.select_related("created_by")],
        "shows_pictures": task.kind == TaskKind.TEXT_TO_IMAGE,
    }


@require_safe
@login_required
def pool_overview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show pool sizes by depth, and the items that only one run or one team adds at the depths set."""
    found = find_organized_task(request, track, task)
    runs = list(
        Run.objects.accepted().filter(task=found).select_related("team", "task").order_by("team__name", "tag")
    )
    context = {"task": found, "runs": [], "shows_pictures": found.kind == TaskKind.TEXT_TO_IMAGE}
    if runs:
        preview = preview_pools(found, runs, workload_of(found))
        teams = preview.team_counts
        context |= {
            "preview": preview,
            "runs": [
                (run, preview.unique_counts.get(str(run.pk), 0), teams.get(run.team.name, 0)) for run in runs
            ],
        }
    whole = "pool_overview" if request.headers.get("HX-Request") else "pool_overview_page"
    return render(request, f"evaluation/pools/{whole}.html", context)
