"""Pages to assign topics and to change assignments."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from assessment.assigning.actions import AssignmentChange, change_assignment, request_assignment
from assessment.assigning.forms import AssignmentChangeForm, TopicsAssignForm
from assessment.models.assignment import Assignment
from evaluation.platform.access.limits.views import form_view
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.submissions.pools.models import PoolItem
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import TaskKind


@form_view()
def topics_assign(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Queue the assignment of a pool, by topic or item by item, and redirect to the progress."""
    track_task = find_judged_task(request, track, task)
    form = TopicsAssignForm(request.POST or None, task=track_task)
    if form.is_valid():
        with error_in(form):
            request_assignment(pool=form.cleaned_data["pool"], options=form.options, by=request.user)
            return redirect("judging_progress", track, task)
    context = {
        "task": track_task,
        "form": form,
        "bare_count": PoolItem.objects.bare(track_task).values("topic", "docno").distinct().count(),
        "shows_pictures": TaskKind(track_task.kind).retrieves_images,
    }
    return render(request, "assessment/assigning/topics_assign.html", context)


@form_view()
def assignment_change(request: SignedInRequest, track: str, task: str, assignment: int) -> HttpResponse:
    """Apply the chosen change to one assignment, and redirect to the progress."""
    track_task = find_judged_task(request, track, task)
    rows = Assignment.objects.filter(pool__task=track_task).with_progress().select_related("pool", "assessor")
    task_assignment = get_object_or_404(rows, pk=assignment)
    form = AssignmentChangeForm(request.POST or None, pool=task_assignment.pool)
    if form.is_valid():
        with error_in(form):
            changed = change_assignment(assignment=task_assignment, by=request.user, **form.cleaned_data)
            messages.success(request, _done(changed, form.cleaned_data["what"]))
            return redirect("judging_progress", track, task)
    context = {"task": track_task, "assignment": task_assignment, "form": form}
    return render(request, "assessment/assigning/assignment_change.html", context)


def _done(assignment: Assignment, change: str) -> str:
    if change == AssignmentChange.REASSIGN:
        return f"Topic {assignment.topic} goes to {assignment.assessor}."
    state = "closed" if assignment.ended_at else "paused" if assignment.paused_at else "active"
    return f"Topic {assignment.topic} of {assignment.assessor} is {state}."
