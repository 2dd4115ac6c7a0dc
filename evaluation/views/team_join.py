"""Joining a team by its link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.actions.join_team import AlreadyInTeam, find_team_to_join, join_team
from evaluation.core.errors import InputError
from evaluation.models import Team

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_join(request: HttpRequest, link: str) -> HttpResponse:
    """Make the reader a member; who may not join, or is not signed in, is told no team's name."""
    if not request.user.is_authenticated:
        return render(request, "evaluation/team_join.html")
    try:
        with transaction.atomic():
            team = find_team_to_join(link, request.user)
            if request.method == "POST":
                join_team(token=link, by=request.user)
    except AlreadyInTeam:
        team = Team.objects.of_link(link).select_related("track").get()
        return redirect("team_detail", team.track.slug, team.pk)
    except InputError as error:
        return render(request, "evaluation/team_join.html", {"error": error})
    if request.method == "POST":
        messages.success(request, f"You are in {team} now.")
        return redirect("team_detail", team.track.slug, team.pk)
    return render(request, "evaluation/team_join.html", {"team": team})
