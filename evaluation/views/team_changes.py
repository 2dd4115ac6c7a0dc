"""What owners and members change about a team. Each leads back to a page that says what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.actions.close_team_link import close_team_link
from evaluation.actions.hand_over_team import hand_over_team
from evaluation.actions.leave_team import leave_team
from evaluation.actions.remove_member import remove_member
from evaluation.actions.rename_team import rename_team
from evaluation.actions.renew_team_link import renew_team_link
from evaluation.core.errors import InputError
from evaluation.forms.team_name import TeamNameForm
from evaluation.models import User
from evaluation.views.finding import find_own_team

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import Team
    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def team_rename(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Give the team another name."""
    found = find_own_team(request, track, team)
    form = TeamNameForm(request.POST or None, initial={"name": found.name})
    if form.is_valid():
        try:
            rename_team(team=found, name=form.cleaned_data["name"], by=request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            return redirect("team_detail", track, team)
    context = {"team": found, "track": found.track, "form": form}
    return render(request, "evaluation/team_rename.html", context)


@require_POST
@login_required
def team_link_renew(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Make a link for members, in the place of the present one."""
    found = find_own_team(request, track, team)
    try:
        renew_team_link(team=found, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("team_detail", track, team)


@require_POST
@login_required
def team_link_close(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Switch the link off."""
    found = find_own_team(request, track, team)
    try:
        close_team_link(team=found, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("team_detail", track, team)


@require_POST
@login_required
def team_leave(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Leave the team."""
    found = find_own_team(request, track, team)
    try:
        leave_team(team=found, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("team_detail", track, team)
    messages.success(request, f"You have left {found}.")
    return redirect("track_detail", track)


@require_POST
@login_required
def member_remove(request: SignedInRequest, track: str, team: int, member: int) -> HttpResponse:
    """Take a member out of the team."""
    found = find_own_team(request, track, team)
    person = _find_member(found, member)
    try:
        remove_member(team=found, person=person, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{person} is in the team no longer.")
    return redirect("team_detail", track, team)


@require_POST
@login_required
def team_hand_over(request: SignedInRequest, track: str, team: int, member: int) -> HttpResponse:
    """Let another member own the team."""
    found = find_own_team(request, track, team)
    person = _find_member(found, member)
    try:
        hand_over_team(team=found, person=person, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{person} owns the team now.")
    return redirect("team_detail", track, team)


def _find_member(team: Team, member: int) -> User:
    return get_object_or_404(User.objects.filter(memberships__team=team).distinct(), pk=member)
