"""Steps of setting up: assessors, organizers, teams and their members."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from evaluation.organizing.setup.forms import TeamForm
from evaluation.organizing.setup.steps import after_saving, render_step
from evaluation.platform.access.limits.views import form_view, post_view
from evaluation.platform.access.people import TEAM_ROLES, Membership
from evaluation.platform.access.requests import SignedInRequest, error_in, key_in
from evaluation.submissions.teams.forms import InviteForm, TeamInviteForm
from evaluation.submissions.teams.invitation_pages import invite
from evaluation.submissions.teams.membership import add_team
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.tracks.lookups import find_organized_task


@form_view("invitation")
def setup_people(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Invite assessors and organizers, and show the members."""
    track_task = find_organized_task(request, track, task)
    form = InviteForm(request.POST or None)
    if form.is_valid() and invite(request, track_task.track, form):
        return after_saving(request, track_task, "people")
    members = Membership.objects.filter(track=track_task.track).exclude(role__in=TEAM_ROLES)
    invitations = Invitation.objects.open().filter(track=track_task.track).exclude(role__in=TEAM_ROLES)
    context = {
        "template": "evaluation/setup/people.html",
        "form": form,
        "members": members.select_related("user").order_by("role", "created_at"),
        "invitations": invitations.order_by("role", "email"),
    }
    return render_step(request, track_task, "people", context)


@form_view("invitation")
def setup_teams(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Make teams, and invite their owners and members."""
    track_task = find_organized_task(request, track, task)
    act = request.POST.get("act", "")
    form = TeamForm(request.POST if act == "team" else None)
    invite_form = TeamInviteForm(request.POST if act == "invite" else None)
    teams = Team.objects.filter(track=track_task.track)
    if act == "invite":
        team = get_object_or_404(teams, pk=key_in(request.POST, "team"))
        if invite_form.is_valid() and invite(request, track_task.track, invite_form, team):
            return after_saving(request, track_task, "teams")
    if form.is_valid():
        with error_in(form, "name"):
            add_team(track=track_task.track, **form.cleaned_data)
            return after_saving(request, track_task, "teams")
    context = {
        "template": "evaluation/setup/teams.html",
        "form": form,
        "invite_form": invite_form,
        "asked_team": request.POST.get("team", ""),
        "teams": teams.prefetch_related("memberships__user"),
        "invitations": Invitation.objects.open().filter(track=track_task.track, team__isnull=False),
    }
    return render_step(request, track_task, "teams", context)


@post_view()
def invitation_withdraw(request: SignedInRequest, track: str, task: str, invitation: int) -> HttpResponse:
    """Withdraw an invitation that nobody accepted, and so disable its link."""
    track_task = find_organized_task(request, track, task)
    invitations = Invitation.objects.filter(track=track_task.track, accepted_at__isnull=True)
    track_invitation = get_object_or_404(invitations, pk=invitation)
    page = "setup_teams" if track_invitation.team_id else "setup_people"
    track_invitation.delete()
    messages.success(request, f"The invitation of {track_invitation.email} is withdrawn.")
    return redirect(page, track, task)
