"""One track: its tasks, and for organizers its people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models.functions import Now
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Invitation, Membership, Role, Task, Team, Track
from evaluation.views.finding import find_track

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def track_detail(request: HttpRequest, track: str) -> HttpResponse:
    """Show the tasks one may see; organizers also see teams, members and open invitations."""
    found = find_track(request, track)
    context = {
        "track": found,
        "tasks": Task.objects.visible_to(request.user).with_phase().filter(track=found).order_by("name"),
        "is_organizer": Track.objects.organized_by(request.user).contains(found),
    }
    if request.user.is_authenticated:
        context["own_teams"] = Team.objects.of_member(request.user).filter(track=found)
    context["takes_teams"] = Task.objects.taking_runs_at(Now()).filter(track=found).exists()
    if context["is_organizer"]:
        members = Membership.objects.filter(track=found).select_related("user", "team")
        context |= {
            "teams": Team.objects.filter(track=found).prefetch_related("memberships__user"),
            "organizers": members.filter(role=Role.ORGANIZER),
            "assessors": members.filter(role=Role.ASSESSOR),
            "invitations": Invitation.objects.filter(track=found).open().order_by("expires_at"),
        }
    return render(request, "evaluation/track_detail.html", context)
