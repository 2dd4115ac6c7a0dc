"""Sharing a pool's topics out among the assessors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from assessment.actions.assign_topics import assign_topics
from assessment.forms import TopicsAssignForm
from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def topics_assign(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Give the topics of a pool to the track's assessors and go back to the progress."""
    found = find_organized_task(request, track, task)
    form = TopicsAssignForm(request.POST or None, task=found)
    if form.is_valid():
        try:
            made = assign_topics(by=request.user, **form.cleaned_data)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{len(made)} assignments made.")
            return redirect("judging_progress", track, task)
    return render(request, "assessment/topics_assign.html", {"task": found, "form": form})
