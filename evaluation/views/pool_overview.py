"""What a pool of a task would hold now: a part of the organizers' dashboard that comes after the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import PoolItem, Run
from evaluation.panels import workload_of
from evaluation.views.finding import find_organized_task
from evaluation.views.pool_preview import preview_pools

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@require_safe
@login_required
def pool_overview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Sizes at each depth, and what each run and each team alone would bring at the depths that are set."""
    found = find_organized_task(request, track, task)
    runs = list(
        Run.objects.accepted().filter(task=found).select_related("team", "task").order_by("team__name", "tag")
    )
    context = {"task": found, "runs": []}
    if runs:
        pooled = PoolItem.objects.filter(pool__task=found).values_list("topic", "docno")
        preview = preview_pools(runs, pooled, workload_of(found))
        teams = preview.team_counts
        context |= {
            "preview": preview,
            "runs": [
                (run, preview.unique_counts.get(str(run.pk), 0), teams.get(run.team.name, 0)) for run in runs
            ],
        }
    whole = "pool_overview" if request.headers.get("HX-Request") else "pool_overview_page"
    return render(request, f"evaluation/{whole}.html", context)
