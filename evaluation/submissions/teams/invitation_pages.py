"""Pages of invitations."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.platform.access.languages import translated
from evaluation.platform.access.limits.views import form_view
from evaluation.platform.access.people import Role
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.platform.access.site_mail import sends_mail
from evaluation.submissions.teams.forms import InvitationAcceptForm, InviteForm, TeamInviteForm
from evaluation.submissions.teams.invitations import (
    OPEN_FOR,
    accept_invitation,
    find_invitation,
    invite_people,
    what_for,
)
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.tracks.lookups import find_organized_track
from evaluation.tracks.models import Task, Track
from trackside.errors import InputError


@form_view("invitation")
def member_invite(request: SignedInRequest, track: str) -> HttpResponse:
    """Invite people by mail to assess in the track or to organize it."""
    own_track = find_organized_track(request, track)
    form = InviteForm(request.POST or None)
    if form.is_valid() and invite(request, own_track, form):
        return redirect("track_detail", track)
    return render(request, "evaluation/teams/member_invite.html", {"track": own_track, "form": form})


def invite(
    request: SignedInRequest, track: Track, form: InviteForm | TeamInviteForm, team: Team | None = None
) -> bool:
    """Invite the people of a checked form; on an error, note it in the form and return False."""
    emails, role = form.cleaned_data["emails"], Role(form.cleaned_data["role"])
    with error_in(form):
        invited = invite_people(
            track=track, emails=emails, role=role, by=request.user, accept_url=accept_url, team=team
        )
        show_invited(request, invited)
    return not form.errors


def show_invited(request: HttpRequest, invitations: list[Invitation]) -> None:
    """Say that the invitations are queued; on a site without mail, show each link once."""
    emails = [invitation.email for invitation in invitations]
    if not sends_mail():
        messages.warning(
            request, "This site sends no mail. Give people these links yourself, now: each is shown once."
        )
        for invitation in invitations:
            messages.info(request, f"{invitation.email}, once within {OPEN_FOR.days} days: {invitation.link}")
    elif len(emails) == 1:
        messages.success(request, f"The invitation is on its way to {emails[0]}.")
    else:
        messages.success(request, f"{len(emails)} invitations are on their way: {', '.join(emails)}.")


def accept_url(token: str) -> str:
    """Return the URL that accepts an invitation; its host is from the settings, not from the request."""
    return settings.SITE_URL + reverse("invitation_accept", args=[token])


def _work_of(invitation: Invitation) -> str:
    """Return where the work of the role is: judging, the upload of a run, or the organizers' dashboard."""
    if invitation.role == Role.ASSESSOR:
        return reverse("judging_list")
    tasks, page = Task.objects.filter(track=invitation.track), "task_detail"
    if invitation.role != Role.ORGANIZER:
        tasks, page = tasks.taking_runs_at(Now()), "run_upload"
    slug, slugs = invitation.track.slug, tasks.values_list("slug", flat=True)[:2]
    return reverse(page, args=[slug, *slugs]) if len(slugs) == 1 else reverse("track_detail", args=[slug])


@translated
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_accept(request: HttpRequest, token: str) -> HttpResponse:
    """Give the role to the signed-in account, or to a new account with the submitted name and password."""
    person = request.user if request.user.is_authenticated else None
    form = InvitationAcceptForm(request.POST or None)
    invitation = find_invitation(token)
    context: dict[str, Any] = {"form": form, "error": "", "what": what_for(invitation) if invitation else ""}
    if request.method == "POST" and (person or form.is_valid()):
        details = {} if person else form.cleaned_data
        try:
            member = accept_invitation(token=token, by=person, **details)
        except InputError as error:
            context["error"] = str(error)
        else:
            login(request, member)
            return redirect(_work_of(invitation) if invitation else "home")
    return render(request, "evaluation/teams/invitation_accept.html", context)
