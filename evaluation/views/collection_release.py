"""The finished test collection: everything that a task leaves to others, on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.core.citation import bibtex
from evaluation.models import Phase, Qrels, Report, Run, Task
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def collection_release(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show topics, qrels, published runs, licence and citation; organizers see it before the release."""
    found = find_task(request, track, task)
    is_organizer = Task.objects.organized_by(request.user).contains(found)
    if not is_organizer and not Task.objects.released_to(request.user).contains(found):
        raise Http404
    context = {
        "task": found,
        "is_organizer": is_organizer,
        "is_released": found.phase == Phase.RELEASED,
        "topic_count": found.topics.active().count(),
        "document_count": found.collection.documents.count(),
        "qrels": Qrels.objects.filter(task=found).current(),
        "runs": _runs(found),
        "report": Report.objects.visible_to(request.user).filter(task=found).first(),
        "citation": found.track.citation or _citation(found),
    }
    return render(request, "evaluation/collection_release.html", context)


def _runs(task: Task) -> list[Run]:
    if not task.track.has_public_runs:
        return []
    return list(Run.objects.accepted().filter(task=task).select_related("team", "upload").order_by("tag"))


def _citation(task: Task) -> str:
    page = settings.SITE_URL + reverse("collection_release", args=[task.track.slug, task.slug])
    return bibtex(
        key=f"{task.track.slug}-{task.slug}",
        title=f"{task.track}: {task.name}",
        year=task.track.year,
        address=page,
        doi=task.track.doi,
    )
