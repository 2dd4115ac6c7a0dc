"""Return the team of a URL if it is visible to the person, or raise Http404; find a team by its name.

A hidden team and a missing one raise the same Http404 and so return the same page, byte for byte.
"""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from evaluation.submissions.teams.models import Team
from evaluation.tracks.models import Track
from trackside.errors import InputError


def find_team(request: HttpRequest, track: str, team: int) -> Team:
    """Return the team if the person belongs to it or organizes the track, or raise Http404."""
    teams = Team.objects.private_to(request.user).select_related("track")
    return get_object_or_404(teams, track__slug=track, pk=team)


def find_own_team(request: HttpRequest, track: str, team: int) -> Team:
    """Return the team if the person belongs to it, or raise Http404."""
    teams = Team.objects.of_member(request.user).select_related("track")
    return get_object_or_404(teams, track__slug=track, pk=team)


def find_named_team(track: Track, name: str) -> Team:
    """Return the track's team of that name. Raises team-not-of-track."""
    team = Team.objects.filter(track=track, name=name).first()
    if team is None:
        raise InputError(
            f"team: {track} has no team {name}. Write its name as on the track's page.",
            code="team-not-of-track",
        )
    return team
