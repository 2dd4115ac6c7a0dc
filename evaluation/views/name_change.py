"""Changing the name that others read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.rename_person import rename_person
from evaluation.forms.person_name import PersonNameForm

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name_change(request: SignedInRequest) -> HttpResponse:
    """Let a person go by another name."""
    form = PersonNameForm(request.POST or None, initial={"name": request.user.name})
    if form.is_valid():
        rename_person(name=form.cleaned_data["name"], by=request.user)
        messages.success(request, "Your name is changed.")
        return redirect("account")
    return render(request, "evaluation/name_change.html", {"form": form})
