"""Find the run of a URL."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from evaluation.submissions.runs.models import Run
from evaluation.tracks.lookups import find_task


def find_run(request: HttpRequest, track: str, task: str, run: int) -> Run:
    """Return the run of that number with what the person may open, its team and upload, or raise 404."""
    runs = Run.objects.visible_to(request.user).with_opened_to(request.user)
    runs = runs.select_related("team", "upload", "replaces", "received_by")
    return get_object_or_404(runs, task=find_task(request, track, task), pk=run)
