"""Sharing a pool's topics out among the assessors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from assessment.actions.assign_topics import assign_topics
from assessment.actions.open_queue import open_queue
from assessment.forms import TopicsAssignForm
from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import User
    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def topics_assign(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Share a pool out among the track's assessors, by topic or item by item, and go back to the progress."""
    found = find_organized_task(request, track, task)
    form = TopicsAssignForm(request.POST or None, task=found)
    if form.is_valid():
        try:
            said = _share_out(form, request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, said)
            return redirect("judging_progress", track, task)
    return render(request, "assessment/topics_assign.html", {"task": found, "form": form})


def _share_out(form: TopicsAssignForm, by: User) -> str:
    """Do it and say what was done."""
    sent = form.cleaned_data
    pool, percent, seed, count = (sent[name] for name in ("pool", "second_percent", "seed", "assessor_count"))
    if form.is_by_items:
        wanted = open_queue(pool=pool, percent=percent, seed=seed, assessor_count=count)
        return f"{wanted:,} judgments are wanted. Assessors take the items from My topics."
    made = assign_topics(pool=pool, second_percent=percent, seed=seed, by=by, assessor_count=count)
    return f"{len(made)} assignments made."
