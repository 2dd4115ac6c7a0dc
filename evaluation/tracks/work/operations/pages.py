"""The page of a task's operations, which other pages poll for the state of recent ones."""

from django.http import HttpResponse
from django.shortcuts import render
from django_htmx.http import trigger_client_event

from evaluation.platform.access.limits.views import page_view
from evaluation.platform.access.requests import SignedInRequest
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.work.operations.models import Operation

MOST_LISTED = 100


@page_view
def operation_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the task's latest operations; to htmx polls return the recent ones."""
    track_task = find_organized_task(request, track, task)
    if request.headers.get("HX-Request"):
        recent = Operation.objects.recent(track_task)
        context = {"task": track_task, "operations": recent}
        response = render(request, "evaluation/work/recent_operations.html", context)
        return response if recent.has_pending else trigger_client_event(response, "operations-ended")
    operations = Operation.objects.filter(task=track_task).select_related("requested_by", "task__track")
    context = {
        "task": track_task,
        "rows": operations[:MOST_LISTED],
        "most": MOST_LISTED,
        "has_pool": track_task.pools.exists(),
    }
    return render(request, "evaluation/work/operation_list.html", context)
