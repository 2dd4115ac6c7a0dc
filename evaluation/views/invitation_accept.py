"""Taking up an invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.actions.accept_invitation import accept_invitation
from evaluation.core.errors import InputError
from evaluation.forms.invitation_accept import InvitationAcceptForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_accept(request: HttpRequest, token: str) -> HttpResponse:
    """Make the reader a member: the account signed in, or a new one with the name and password given."""
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
    return render(request, "evaluation/invitation_accept.html", context)
