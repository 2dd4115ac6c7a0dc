"""Return the track or task of a URL if it is visible to the person, or raise Http404.

An embargoed track and a missing one raise the same Http404 and so return the same page, byte for byte.
"""

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from evaluation.tracks.models import Task, Track


def find_track(request: HttpRequest, track: str) -> Track:
    """Return the track of that slug if the person may see it, or raise Http404."""
    return get_object_or_404(Track.objects.visible_to(request.user), slug=track)


def find_organized_track(request: HttpRequest, track: str) -> Track:
    """Return the track of that slug if the person organizes it, or raise Http404."""
    return get_object_or_404(Track.objects.organized_by(request.user), slug=track)


def find_task(request: HttpRequest, track: str, task: str) -> Task:
    """Return the task with its track and phase if the person may see it, or raise Http404."""
    tasks = Task.objects.visible_to(request.user).with_phase().select_related("track", "collection")
    return get_object_or_404(tasks, track__slug=track, slug=task)


def find_explored_task(request: HttpRequest, track: str, task: str) -> Task:
    """Return the task whose topics, documents and results the person may look at, or raise Http404."""
    tasks = Task.objects.explored_by(request.user).with_phase().select_related("track", "collection")
    return get_object_or_404(tasks, track__slug=track, slug=task)


def find_judged_task(request: HttpRequest, track: str, task: str) -> Task:
    """As find_organized_task, for pages of pools, judging and the release; Http404 for a practice task."""
    found = find_organized_task(request, track, task)
    if found.is_practice:
        raise Http404
    return found


def find_organized_task(request: HttpRequest, track: str, task: str) -> Task:
    """Return the task with its track and phase if the person organizes it, or raise Http404."""
    tasks = Task.objects.organized_by(request.user).with_phase()
    tasks = tasks.select_related("track__archiving", "collection")
    return get_object_or_404(tasks, track__slug=track, slug=task)
