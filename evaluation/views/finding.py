"""How views fetch what an address names: visible to the person, or absent.

An embargoed thing and an absent one raise the same Http404 and so get the same page, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from evaluation.models import Run, Task, Team, Track

if TYPE_CHECKING:
    from evaluation.models import User


class SignedInRequest(HttpRequest):
    """What a view behind ``login_required`` gets."""

    user: User


def find_track(request: HttpRequest, track: str) -> Track:
    """The track of that slug, if the person may see it."""
    return get_object_or_404(Track.objects.visible_to(request.user), slug=track)


def find_organized_track(request: HttpRequest, track: str) -> Track:
    """The track of that slug, if the person organizes it."""
    return get_object_or_404(Track.objects.organized_by(request.user), slug=track)


def find_team(request: HttpRequest, track: str, team: int) -> Team:
    """The team of that number in that track, if the person belongs to it or organizes the track."""
    teams = Team.objects.private_to(request.user).select_related("track")
    return get_object_or_404(teams, track__slug=track, pk=team)


def find_own_team(request: HttpRequest, track: str, team: int) -> Team:
    """The team of that number in that track, if the person belongs to it."""
    teams = Team.objects.of_member(request.user).select_related("track")
    return get_object_or_404(teams, track__slug=track, pk=team)


def find_task(request: HttpRequest, track: str, task: str) -> Task:
    """The task of those slugs with its track and phase, if the person may see it."""
    tasks = Task.objects.visible_to(request.user).with_phase().select_related("track", "collection")
    return get_object_or_404(tasks, track__slug=track, slug=task)


def find_organized_task(request: HttpRequest, track: str, task: str) -> Task:
    """The task of those slugs with its track and phase, if the person organizes it."""
    tasks = Task.objects.organized_by(request.user).with_phase().select_related("track", "collection")
    return get_object_or_404(tasks, track__slug=track, slug=task)


def find_run(request: HttpRequest, track: str, task: str, run: int) -> Run:
    """The run of that number in that task with team and upload, if the person may see it."""
    runs = Run.objects.visible_to(request.user).select_related("team", "upload", "replaces", "received_by")
    return get_object_or_404(runs, task=find_task(request, track, task), pk=run)
