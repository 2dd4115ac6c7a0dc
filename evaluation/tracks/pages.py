"""Pages of invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.access.limiting import limited
from evaluation.core.errors import InputError
from evaluation.tracks.actions import accept_invitation, invite_member
from evaluation.tracks.forms import InvitationAcceptForm, MemberInviteForm
from evaluation.tracks.lookups import find_organized_track

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from evaluation.access.requests import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("invitation")
def member_invite(request: SignedInRequest, track: str) -> HttpResponse:
    """Invite a person by mail to assess in the track."""
    found = find_organized_track(request, track)
    form = MemberInviteForm(request.POST or None)
    if form.is_valid():
        email = form.cleaned_data["email"]
        try:
            invite_member(track=found, email=email, by=request.user, accept_url=accept_url)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"The invitation is on its way to {email}.")
            return redirect("track_detail", track)
    return render(request, "evaluation/tracks/member_invite.html", {"track": found, "form": form})


def accept_url(token: str) -> str:
    """Return the URL that accepts an invitation; its host is from the settings, not from the request."""
    return settings.SITE_URL + reverse("invitation_accept", args=[token])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_accept(request: HttpRequest, token: str) -> HttpResponse:
    """Make the signed-in account a member, or a new account with the submitted name and password."""
    person = request.user if request.user.is_authenticated else None
    form = InvitationAcceptForm(request.POST or None)
    context = {"form": form, "error": ""}
    if request.method == "POST" and (person or form.is_valid()):
        details = {} if person else form.cleaned_data
        try:
            member = accept_invitation(token=token, by=person, **details)
        except InputError as error:
            context["error"] = str(error)
        else:
            login(request, member)
            return redirect("home")
    return render(request, "evaluation/tracks/invitation_accept.html", context)
