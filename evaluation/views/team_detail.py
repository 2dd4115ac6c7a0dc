"""One team: its members, its link and its runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.models import Membership, Run, Team
from evaluation.views.finding import find_team

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@require_safe
@login_required
def team_detail(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Show a team to its members and the organizers; its owner changes it here."""
    found = find_team(request, track, team)
    context = {
        "team": found,
        "track": found.track,
        "members": Membership.objects.filter(team=found).select_related("user").order_by("created_at"),
        "runs": Run.objects.filter(team=found).select_related("task__track").order_by("-received_at"),
        "is_owner": Team.objects.owned_by(request.user).contains(found),
        "is_member": Team.objects.of_member(request.user).contains(found),
        "link": settings.SITE_URL + reverse("team_join", args=[found.link_token]) if found.has_link else "",
    }
    return render(request, "evaluation/team_detail.html", context)
