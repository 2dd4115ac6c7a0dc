"""Find the run of a URL, and decide who may see its file."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from evaluation.access.people import User
from evaluation.runs.models import Run
from evaluation.teams.models import Team
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task


def find_run(request: HttpRequest, track: str, task: str, run: int) -> Run:
    """Return the run of that number in the task with its team and upload, or raise 404."""
    runs = Run.objects.visible_to(request.user).select_related("team", "upload", "replaces", "received_by")
    return get_object_or_404(runs, task=find_task(request, track, task), pk=run)


def shows_upload(person: User | AnonymousUser, run: Run) -> bool:
    """Whether the person may see the file and its verdict: the run's team and the task's organizers."""
    return (
        Team.objects.of_member(person).filter(pk=run.team_id).exists()
        or Task.objects.organized_by(person).filter(pk=run.task_id).exists()
    )


def is_published(person: User | AnonymousUser, run: Run) -> bool:
    """Whether the track publishes its runs and this one is released to the person."""
    return Run.objects.published_to(person).filter(pk=run.pk).exists()
