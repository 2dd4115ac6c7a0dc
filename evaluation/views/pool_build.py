"""Pools of a task: what a depth would cost, freezing one, and those that are frozen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.build_pool import build_pool as freeze_pool
from evaluation.actions.draw_pool import draw_pool
from evaluation.actions.find_judged import find_judged
from evaluation.core.errors import InputError
from evaluation.forms.pool_build import PoolBuildForm
from evaluation.models import Pool, PoolItem, Run
from evaluation.panels import workload_of
from evaluation.views.finding import find_organized_task
from evaluation.views.pool_preview import preview_draw, preview_pools

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.actions.draw_pool import Draw
    from evaluation.models import Task
    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pool_build(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Freeze a pool of the task's accepted runs, or say what it would hold."""
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
        }
        try:
            if "preview" in request.POST:
                draw = draw_pool(**drawn_from)
            else:
                pool = freeze_pool(**drawn_from, name=form.cleaned_data["name"], by=request.user)
                messages.success(request, f"Pool {pool.name} is frozen: {pool.items.count():,} items.")
                return redirect("pool_build", track, task)
        except InputError as error:
            form.add_error(None, str(error))
    context = {"task": found, "form": form} | _context(found, form, draw)
    return render(request, "evaluation/pool_build.html", context)


def _context(task: Task, form: PoolBuildForm, draw: Draw | None) -> dict[str, Any]:
    pooled = set(PoolItem.objects.filter(pool__task=task).values_list("topic", "docno"))
    workload = workload_of(task)
    preview = preview_pools(form.runs, pooled, workload)
    return {
        "draw": preview_draw(draw, pooled, workload) if draw else None,
        "preview": preview,
        "workload": workload,
        "rows": [
            (run, field, preview.unique_counts.get(str(run.pk), 0), preview.team_counts.get(run.team.name, 0))
            for run, field in form.rows
        ],
        "pools": Pool.objects.filter(task=task).with_size().select_related("created_by"),
    }
