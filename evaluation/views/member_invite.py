"""Inviting an assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from evaluation.actions.invite_member import invite_member
from evaluation.core.errors import InputError
from evaluation.forms.member_invite import MemberInviteForm
from evaluation.views.finding import find_organized_track

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def member_invite(request: SignedInRequest, track: str) -> HttpResponse:
    """Mail a link that makes its reader an assessor of the track."""
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
    return render(request, "evaluation/member_invite.html", {"track": found, "form": form})


def accept_url(token: str) -> str:
    """The address at which an invitation is taken up; from the settings, never from the Host header."""
    return settings.SITE_URL + reverse("invitation_accept", args=[token])
