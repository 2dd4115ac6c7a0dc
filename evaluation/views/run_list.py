"""The runs of a task that a person may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Prefetch
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Family, Run
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def run_list(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """List every upload: a team's own, all of them for organizers, the accepted ones after the release."""
    found = find_task(request, track, task)
    families = Family.objects.visible_to(request.user)
    runs = (
        Run.objects.visible_to(request.user)
        .filter(task=found)
        .select_related("team")
        .prefetch_related(Prefetch("families", families, to_attr="visible_families"))
        .order_by("team__name", "tag", "received_at")
    )
    return render(request, "evaluation/run_list.html", {"task": found, "runs": runs})
