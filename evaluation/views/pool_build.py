"""Pools of a task: what a depth would cost, freezing one, and those that are frozen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.build_pool import build_pool as freeze_pool
from evaluation.actions.find_judged import find_judged
from evaluation.core.errors import InputError
from evaluation.forms.pool_build import PoolBuildForm
from evaluation.models import Pool, PoolItem, Run
from evaluation.panels import workload_of
from evaluation.views.finding import find_organized_task
from evaluation.views.pool_preview import preview_pools

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.panels import workload_of
from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pool_build(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Freeze a pool of the task's accepted runs."""
    found = find_organized_task(request, track, task)
    runs = (
        Run.objects.accepted().filter(task=found).select_related("team", "task").order_by("team__name", "tag")
    )
    form = PoolBuildForm(request.POST or None, runs=runs)
    if form.is_valid():
        name, seed = form.cleaned_data["name"], form.cleaned_data["seed"]
        recipe = form.recipe(*find_judged(task=found))
        try:
            pool = freeze_pool(
                task=found, name=name, seed=seed, depths=form.depths, recipe=recipe, by=request.user
            )
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Pool {pool.name} is frozen: {pool.items.count():,} items.")
            return redirect("pool_build", track, task)
    pooled = PoolItem.objects.filter(pool__task=found).values_list("topic", "docno").distinct()
    preview = preview_pools(form.runs, pooled, workload_of(found))
    context = {
        "task": found,
        "form": form,
        "preview": preview,
        "workload": workload_of(found),
        "rows": [
            (run, field, preview.unique_counts.get(str(run.pk), 0), preview.team_counts.get(run.team.name, 0))
            for run, field in form.rows
        ],
        "pools": Pool.objects.filter(task=found).with_size().select_related("created_by"),
    }
    return render(request, "evaluation/pool_build.html", context)
