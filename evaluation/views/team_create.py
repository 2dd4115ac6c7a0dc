"""Making a team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.actions.create_team import create_team
from evaluation.core.errors import InputError
from evaluation.forms.team_name import TeamNameForm
from evaluation.views.finding import find_track

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def team_create(request: SignedInRequest, track: str) -> HttpResponse:
    """Let a person take part in a track with a team of their own."""
    found = find_track(request, track)
    form = TeamNameForm(request.POST or None)
    if form.is_valid():
        try:
            team = create_team(track=found, name=form.cleaned_data["name"], by=request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The team is there. Upload its runs, or make a link for its members.")
            return redirect("team_detail", track, team.pk)
    return render(request, "evaluation/team_create.html", {"track": found, "form": form})
