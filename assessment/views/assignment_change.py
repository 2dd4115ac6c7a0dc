"""Pausing, closing or passing on what somebody was given to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from assessment.actions.end_assignment import end_assignment
from assessment.actions.pause_assignment import pause_assignment
from assessment.actions.reassign_topic import reassign_topic
from assessment.forms import AssignmentChangeForm, What
from assessment.models import Assignment
from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import User
    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_change(request: SignedInRequest, track: str, task: str, assignment: int) -> HttpResponse:
    """Do what the organizer chose with one assignment, and go back to the progress."""
    found = find_organized_task(request, track, task)
    of_task = Assignment.objects.filter(pool__task=found).with_progress().select_related("pool", "assessor")
    given = get_object_or_404(of_task, pk=assignment)
    form = AssignmentChangeForm(request.POST or None, pool=given.pool)
    if form.is_valid():
        try:
            said = _change(given, What(form.cleaned_data["what"]), form.cleaned_data["to"], request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, said)
            return redirect("judging_progress", track, task)
    context = {"task": found, "assignment": given, "form": form}
    return render(request, "assessment/assignment_change.html", context)


def _change(assignment: Assignment, what: What, to: User, by: User) -> str:
    """Do it and say what was done."""
    if what == What.REASSIGN:
        made = reassign_topic(assignment=assignment, to=to, by=by)
        return f"Topic {made.topic} goes to {made.assessor}."
    if what == What.END:
        changed = end_assignment(assignment=assignment, by=by)
    else:
        changed = pause_assignment(assignment=assignment, is_paused=what == What.PAUSE)
    state = "closed" if changed.ended_at else "paused" if changed.paused_at else "going on"
    return f"Topic {changed.topic} of {changed.assessor} is {state}."
